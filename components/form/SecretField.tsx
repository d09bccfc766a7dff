import type { ComponentChildren, JSX } from "preact";
import { Badge } from "../Badge.tsx";
import type { Field } from "./fields.ts";
import { type ControlProps, FieldRow, idOf } from "./FieldRow.tsx";
import { clearEntryOf, entryOf, suggestedEntryOf } from "./posted.ts";

/** What {@link SecretField} shows. */
export interface SecretFieldProps {
  readonly field: Field;
  readonly isSet: boolean;
  /** A secret that was made up just now, to be copied before it is saved. */
  readonly suggestion: string | undefined;
  /** Whether it is to be cleared. */
  readonly cleared: boolean;
  readonly fault: string | undefined;
  readonly first: boolean;
  /** A page with a new secret in this field; `undefined` where none can be made up. */
  readonly renewHref: string | undefined;
  /** Makes the button that copies what the control with this id holds. */
  readonly copy: (id: string) => ComponentChildren;
}

/** The entry of one secret: what is stored is never in it, it can only be replaced or cleared. */
export function SecretField(
  { field, isSet, suggestion, cleared, fault, first, renewHref, copy }: SecretFieldProps,
): JSX.Element {
  const entry = entryOf("secrets", field);
  const clear = clearEntryOf(field);
  const renews = suggestion === undefined && renewHref !== undefined;
  const label = isSet ? { ...field, description: `${field.description}. Leave it empty to keep it` } : field;
  return (
    <FieldRow
      field={label}
      entry={entry}
      required={field.required && !isSet}
      optional={!field.required}
      fault={fault}
      first={first}
      badge={isSet ? <Badge tone="good">Set</Badge> : <Badge tone="muted">Not set</Badge>}
      control={(props) => <SecretControl field={field} suggestion={suggestion} props={props} copy={copy} />}
      after={
        <>
          {suggestion !== undefined && (
            <p class="muted">
              This one was made up just now and is shown only here: copy it before you save, or put one of yours in its
              place.
              <input type="hidden" name={suggestedEntryOf(field)} value={suggestion} />
            </p>
          )}
          {(isSet || renews) && (
            <div class="flex flex-wrap items-center gap-x-6 gap-y-1 text-sm">
              {isSet && (
                <span class="flex items-center gap-2">
                  <input type="checkbox" class="check" id={idOf(clear)} name={clear} checked={cleared} />
                  <label for={idOf(clear)}>Clear {field.label.toLowerCase()}</label>
                </span>
              )}
              {renews && <a href={renewHref}>Make up a new one</a>}
            </div>
          )}
        </>
      }
    />
  );
}

/** What {@link SecretControl} shows. */
interface SecretControlProps {
  readonly field: Field;
  readonly suggestion: string | undefined;
  readonly props: ControlProps;
  readonly copy: (id: string) => ComponentChildren;
}

function SecretControl({ field, suggestion, props, copy }: SecretControlProps): JSX.Element {
  if (field.kind !== "text") {
    return <textarea {...props} class="field font-mono" rows={3} autocomplete="off" spellcheck={false} />;
  }
  const hidden = suggestion === undefined;
  return (
    <div class="flex items-stretch gap-2">
      <input
        {...props}
        class="field font-mono"
        type={hidden ? "password" : "text"}
        value={suggestion ?? ""}
        autocomplete={hidden ? "new-password" : "off"}
        spellcheck={false}
      />
      {!hidden && copy(props.id)}
    </div>
  );
}
