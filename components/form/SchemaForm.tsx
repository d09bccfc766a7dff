import type { ComponentChildren, JSX } from "preact";
import { ConfigField } from "./ConfigField.tsx";
import { faultOf, type FormFault } from "./faults.ts";
import type { Field } from "./fields.ts";
import { storedTexts } from "./posted.ts";
import { SecretField } from "./SecretField.tsx";

/** What {@link SchemaForm} shows. */
export interface SchemaFormProps {
  readonly config: readonly Field[];
  readonly secrets: readonly Field[];
  /** What stands in the fields of the config. */
  readonly texts: Readonly<Record<string, string>>;
  readonly faults: readonly FormFault[];
  /** Names of the secrets that are stored. */
  readonly secretNames: readonly string[];
  /** Secrets made up just now, by name. */
  readonly suggestions: Readonly<Record<string, string>>;
  /** Names of the secrets that are to be cleared. */
  readonly cleared: readonly string[];
  /** Names of the secrets that can be made up. */
  readonly renewable: readonly string[];
  /** A page with new ones of these in the form. */
  readonly renewHref: string;
  /** Stands below the secrets. */
  readonly afterSecrets?: ComponentChildren;
  /** Makes the button that copies what the control with this id holds. */
  readonly copy: (id: string) => ComponentChildren;
}

/** The fields of any connector's settings, drawn from its schemas; what is posted is read by `posted.ts`. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  const { config, secrets, texts, faults, secretNames, suggestions, cleared, renewable, afterSecrets, copy } = props;
  const all = [...secrets.map(({ name }) => ["secrets", name]), ...config.map(({ name }) => ["config", name])];
  const firstFault = all.find(([part = "", name = ""]) => faultOf(faults, part, name) !== undefined)?.join("/");
  return (
    <>
      {secrets.length > 0 && (
        <fieldset class="form-part">
          <legend>Secrets</legend>
          {secrets.map((field) => (
            <SecretField
              key={field.name}
              field={field}
              isSet={secretNames.includes(field.name)}
              suggestion={suggestions[field.name]}
              cleared={cleared.includes(field.name)}
              fault={faultOf(faults, "secrets", field.name)}
              first={firstFault === `secrets/${field.name}`}
              renewHref={renewable.includes(field.name) ? props.renewHref : undefined}
              copy={copy}
            />
          ))}
          {afterSecrets}
        </fieldset>
      )}
      {config.length > 0 && (
        <fieldset class="form-part">
          <legend>Settings</legend>
          {Map.groupBy(config, ({ group }) => group).entries().map(([group, fields]) => (
            <ConfigGroup key={group} heading={group} fields={fields} texts={texts} faults={faults}>
              {fields.map((field) => (
                <ConfigField
                  key={field.name}
                  field={field}
                  text={texts[field.name] ?? ""}
                  fault={faultOf(faults, "config", field.name)}
                  first={firstFault === `config/${field.name}`}
                />
              ))}
            </ConfigGroup>
          )).toArray()}
        </fieldset>
      )}
    </>
  );
}

/** Fields under a heading, which is open if something is entered in them, or wrong; without one, just the fields. */
function ConfigGroup({ heading, fields, texts, faults, children }: Pick<SchemaFormProps, "texts" | "faults"> & {
  heading: string | undefined;
  fields: readonly Field[];
  children: ComponentChildren;
}): JSX.Element {
  if (heading === undefined) return <>{children}</>;
  const preset = storedTexts(fields, {});
  const entered = fields.filter(({ name }) => (texts[name] ?? "") !== preset[name]).length;
  const isOpen = entered > 0 || fields.some(({ name }) => faultOf(faults, "config", name) !== undefined);
  return (
    <details open={isOpen}>
      <summary>
        {heading} <span class="muted font-normal">{`${entered} of ${fields.length} set`}</span>
      </summary>
      <div class="form-part mt-4">{children}</div>
    </details>
  );
}
