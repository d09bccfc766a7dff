import type { Taken } from "../../server/deliveries/replay.ts";
import type { State } from "./define.ts";
import { problemOrThrow } from "./form.ts";

/** How sending a test event went. */
export type Sent = { readonly taken: Taken } | { readonly problem: string; readonly status: number };

/** Sends the example that the form names; one of another name is not there. */
export async function sendTest(state: State, connectorId: string, form: URLSearchParams): Promise<Sent> {
  const { dashboard, workspaceId } = state;
  const example = form.get("example") ?? "";
  if (!(await dashboard.examples(connectorId)).includes(example)) {
    return { problem: "Choose one of the examples", status: 422 };
  }
  try {
    return { taken: await dashboard.replay.sendExample(workspaceId, connectorId, example) };
  } catch (error) {
    const { status, detail } = problemOrThrow(dashboard, error);
    return { problem: detail, status };
  }
}
