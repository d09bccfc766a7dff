import type { JSX } from "preact";
import type { Field } from "./fields.ts";
import { type ControlProps, FieldRow } from "./FieldRow.tsx";
import { entryOf } from "./posted.ts";

/** What {@link ConfigField} shows. */
export interface ConfigFieldProps {
  readonly field: Field;
  readonly text: string;
  readonly fault: string | undefined;
  readonly first: boolean;
}

/** The entry of one setting. */
export function ConfigField({ field, text, fault, first }: ConfigFieldProps): JSX.Element {
  return (
    <FieldRow
      field={field}
      entry={entryOf("config", field)}
      required={field.required}
      optional={!field.required && field.kind !== "flag"}
      fault={fault}
      first={first}
      control={(props) => <Control field={field} text={text} props={props} />}
    />
  );
}

function Control({ field, text, props }: { field: Field; text: string; props: ControlProps }): JSX.Element {
  switch (field.kind) {
    case "flag":
      return <input {...props} required={false} type="checkbox" class="check" checked={text !== ""} />;
    case "choice":
      return (
        <select {...props} class="field">
          {(!hasValue(field) || text === "") && <option value="">{field.required ? "Choose one" : "Not set"}</option>}
          {field.options.map((option) => (
            <option key={option.text} value={option.text} selected={option.text === text}>{option.text}</option>
          ))}
        </select>
      );
    case "list":
    case "json":
      return (
        <textarea {...props} class="field font-mono" rows={4} spellcheck={false} dir="auto">
          {
            // A parser of HTML drops the first line break of a textarea.
            text.startsWith("\n") ? `\n${text}` : text
          }
        </textarea>
      );
    case "number":
      // Not type="number": browsers post nothing of what is not a number, so that it could not be shown again.
      return <input {...props} class="field max-w-48" type="text" inputmode="decimal" value={text} />;
    case "text":
      return (
        <input {...props} class="field" type={field.inputType} value={text} autocomplete="off" spellcheck={false} />
      );
  }
}

/** Whether something always holds: "not set" beside a default would be that default. */
function hasValue({ required, default: preset }: Field): boolean {
  return required || preset !== undefined;
}
