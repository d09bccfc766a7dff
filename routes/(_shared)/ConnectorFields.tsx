import type { JSX } from "preact";
import { faultOf, otherFaults } from "../../components/form/faults.ts";
import { SchemaForm } from "../../components/form/SchemaForm.tsx";
import { Notice } from "../../components/Notice.tsx";
import CopyButton from "../../islands/CopyButton.tsx";
import type { ConnectorForm } from "./connector.ts";

/** The fields of a connector's form, below what keeps it from being saved. */
export function ConnectorFields({ form }: { form: ConnectorForm }): JSX.Element {
  return (
    <>
      {form.problem !== undefined && <Problem form={form} problem={form.problem} />}
      <SchemaForm {...form} renewHref="?new-secret" copy={(id) => <CopyButton from={id} what="the secret" />} />
    </>
  );
}

function Problem({ form, problem }: { form: ConnectorForm; problem: string }): JSX.Element {
  const { faults, config, secrets } = form;
  const places = [
    ...secrets.map(({ name, label }) => ({ part: "secrets", name, label })),
    ...config.map(({ name, label }) => ({ part: "config", name, label })),
  ];
  const wrong = places.filter(({ part, name }) => faultOf(faults, part, name) !== undefined);
  const others = otherFaults(faults, places.map(({ part, name }) => `/${part}/${name}`));
  return (
    <Notice tone="bad" title="Nothing was saved" role="alert">
      {faults.length === 0 && <p>{problem}</p>}
      {wrong.length > 0 && <p>Look at: {wrong.map(({ label }) => label).join(", ")}.</p>}
      {others.map(({ pointer, detail }) => <p key={pointer} dir="auto">{pointer} {detail}</p>)}
      {secrets.length > 0 && <p>Secrets are not kept in the form: enter them again.</p>}
    </Notice>
  );
}
