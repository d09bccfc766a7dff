import type { ComponentChildren, JSX } from "preact";
import type { Field } from "./fields.ts";

/** What a control needs to be tied to its label, hint and fault. */
export interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly autofocus: boolean;
  readonly "aria-invalid": "true" | undefined;
  readonly "aria-describedby": string | undefined;
}

/** What {@link FieldRow} shows. */
export interface FieldRowProps {
  readonly field: Field;
  /** Name of the entry; the id is made of it. */
  readonly entry: string;
  readonly required: boolean;
  /** Whether to say that it can be left out. */
  readonly optional: boolean;
  readonly fault: string | undefined;
  /** Whether the browser should put the cursor here. */
  readonly first: boolean;
  /** Beside the label. */
  readonly badge?: ComponentChildren;
  /** The control's place: before the label for flags. */
  readonly control: (props: ControlProps) => ComponentChildren;
  /** Below the control. */
  readonly after?: ComponentChildren;
}

/** The id of an entry's control. */
export function idOf(entry: string): string {
  return entry.replaceAll(/[^\w-]/g, "-");
}

/** A label, a hint, a control and what is wrong with it, tied together for assistive technology. */
export function FieldRow(
  { field, entry, required, optional, fault, first, badge, control, after }: FieldRowProps,
): JSX.Element {
  const id = idOf(entry);
  const hint = [field.description, ...field.limits].filter((text) => text !== "").join(". ");
  const describedBy = [hint === "" ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`].join(" ").trim();
  const input = control({
    id,
    name: entry,
    required,
    autofocus: first,
    "aria-invalid": fault === undefined ? undefined : "true",
    "aria-describedby": describedBy === "" ? undefined : describedBy,
  });
  const isFlag = field.kind === "flag";
  return (
    <div class="form-row">
      <div class="flex flex-wrap items-center gap-x-2">
        {isFlag && input}
        <label for={id} class="font-medium">{field.label}</label>
        <code class="text-muted">{field.name}</code>
        {optional && <span class="muted">optional</span>}
        {badge}
      </div>
      {hint !== "" && <p id={`${id}-hint`} class="muted" dir="auto">{hint}</p>}
      {!isFlag && input}
      {fault !== undefined && <p id={`${id}-fault`} class="fault" dir="auto">{fault}</p>}
      {after}
    </div>
  );
}
