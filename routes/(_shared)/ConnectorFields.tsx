import type { JSX } from "preact";
import { KeepOld } from "../../components/form/KeepOld.tsx";
import { faultOf, otherFaults } from "../../components/form/faults.ts";
import { SchemaForm } from "../../components/form/SchemaForm.tsx";
import { Notice } from "../../components/Notice.tsx";
import CopyButton from "../../islands/CopyButton.tsx";
import { type ConnectorForm, KEEP_OLD_POINTER } from "./connector_form.ts";

const KEEP_OLD_LABEL = "Accept the old secrets for";
const KEEP_OLD_HINT =
  "If you replace one: time to put the new one in at the source. Deliveries signed with either are " +
  "taken meanwhile. Not at all, if somebody got hold of the old one.";

/** The fields of a connector's form, below what keeps it from being saved. */
export function ConnectorFields({ form }: { form: ConnectorForm }): JSX.Element {
  return (
    <>
      {form.problem !== undefined && <Problem form={form} problem={form.problem} />}
      <SchemaForm
        {...form}
        renewHref="?new-secret"
        copy={(id) => <CopyButton from={id} what="the secret" />}
        afterSecrets={form.keepOld && <KeepOld label={KEEP_OLD_LABEL} hint={KEEP_OLD_HINT} {...form.keepOld} />}
      />
    </>
  );
}

function Problem({ form, problem }: { form: ConnectorForm; problem: string }): JSX.Element {
  const { faults, config, secrets, keepOld, forgotten } = form;
  const places = [
    ...secrets.map(({ name, label }) => ({ part: "secrets", name, label })),
    ...config.map(({ name, label }) => ({ part: "config", name, label })),
  ];
  const wrong = places.filter(({ part, name }) => faultOf(faults, part, name) !== undefined);
  const labels = [...wrong.map(({ label }) => label), ...keepOld?.fault === undefined ? [] : [KEEP_OLD_LABEL]];
  const others = otherFaults(faults, [...places.map(({ part, name }) => `/${part}/${name}`), KEEP_OLD_POINTER]);
  return (
    <Notice tone="bad" title="Nothing was saved" role="alert">
      {faults.length === 0 && <p>{problem}</p>}
      {labels.length > 0 && <p>Look at: {labels.join(", ")}.</p>}
      {others.map(({ pointer, detail }) => <p key={pointer} dir="auto">{pointer} {detail}</p>)}
      {forgotten.length > 0 && <p>Secrets are not kept in the form. Enter again: {forgotten.join(", ")}.</p>}
    </Notice>
  );
}
