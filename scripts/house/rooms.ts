/** The rooms of the house, and what each may know of the others. */

import type { Import } from "./imports.ts";
import { isCode, isTest, type SourceFile, type Violation } from "./source.ts";

/** A part of the repository with rules of its own about what it may import. */
export type Room = keyof typeof MAY_IMPORT;

const MAY_IMPORT = {
  packages: ["packages"],
  connectors: ["packages", "connectors"],
  server: ["packages", "connectors", "server"],
  components: ["packages", "components"],
  islands: ["packages", "components", "islands"],
  routes: ["packages", "components", "islands", "routes"],
  settings: ["packages"],
  main: ["packages", "connectors", "server", "components", "islands", "routes", "settings", "main"],
  examples: ["packages"],
  scripts: [],
  bench: [],
  tests: [],
} as const;

const DIRECTION = "Imports point one way: packages <- connectors <- server <- main.ts, and packages <- components <- " +
  "islands <- routes <- main.ts";

const FOLDER_ROOMS = [
  "packages",
  "connectors",
  "server",
  "components",
  "islands",
  "routes",
  "examples",
  "scripts",
  "bench",
] as const;

/** The room a file of code is in, or nothing if it is in none. */
export function roomOf(path: string): Room | undefined {
  if (isTest(path)) return "tests";
  if (["main.ts", "start.ts", "pages.ts", "sealer.ts"].includes(path)) return "main";
  if (path === "fresh.config.ts") return "settings";
  return FOLDER_ROOMS.find((room) => path.startsWith(`${room}/`));
}

/** Whether a room serves the work on Inlet and not Inlet itself, so that it may know everything. */
export function isWorkshop(room: Room | undefined): boolean {
  return room === "scripts" || room === "bench" || room === "tests";
}

const SUPPORT = "tests/support/";

function wrongDirection({ from, line, to, typeOnly }: Import): Violation | undefined {
  const room = roomOf(from);
  const target = roomOf(to);
  if (room === undefined || target === undefined || room === "tests" || room === "bench") return undefined;
  if (room === "scripts") {
    if (target !== "tests" || to.startsWith(SUPPORT) && !/_test\.tsx?$/.test(to)) return undefined;
    const instead = `Move what both need to ${SUPPORT} or to scripts/`;
    return { file: from, line, wrong: `A script imports the test ${to}`, instead };
  }
  if (isWorkshop(target)) {
    const instead = `Move what both need out of ${target}, to the lowest room that needs it`;
    return { file: from, line, wrong: `${from} imports ${to}, which is not part of the program`, instead };
  }
  const allowed: readonly Room[] = MAY_IMPORT[room];
  if (allowed.includes(target) || room === "routes" && target === "server" && typeOnly) return undefined;
  const instead = room === "examples"
    ? "An example is what somebody else would write: of this repository it has the packages only"
    : room === "routes" && target === "server"
    ? 'Routes know the server through "import type" and ctx.state: take the value from ctx.state'
    : `${DIRECTION}. Move what both need to the lower room, or take it as a parameter`;
  return { file: from, line, wrong: `${room} imports ${to}, which is in ${target}`, instead };
}

const CATALOGUE = "connectors/catalogue.ts";

function connectorFolder(path: string): string | undefined {
  return /^connectors\/([^/]+)\//.exec(path)?.[1];
}

function wrongConnector({ from, line, to }: Import): Violation | undefined {
  const target = connectorFolder(to);
  const own = connectorFolder(from);
  if (isWorkshop(roomOf(from)) || from === CATALOGUE || target === undefined || target === own || target === "kit") {
    return undefined;
  }
  const wrong = own === undefined ? `${from} names the connector ${target}` : `The connector ${own} imports ${to}`;
  const instead = own === "kit"
    ? "The kit knows no source: let the connector hand it what it needs"
    : own === undefined
    ? `Take connectors from ${CATALOGUE}, so that a new source changes nothing here`
    : "Connectors do not know each other: move what both need to connectors/kit";
  return { file: from, line, wrong, instead };
}

const ADAPTERS = ["server/store/", "server/broker/", "server/crypto/"];

function wrongAdapter({ from, line, to, typeOnly }: Import): Violation | undefined {
  const adapter = ADAPTERS.find((folder) => to.startsWith(folder));
  const room = roomOf(from);
  if (adapter === undefined || from.startsWith(adapter) || room === "main" || isWorkshop(room)) return undefined;
  if (from === "server/deps.ts" && typeOnly) return undefined;
  const instead = ADAPTERS.some((folder) => from.startsWith(folder))
    ? "Adapters do not know each other: put the shared type in server/deps.ts, and let main.ts hand over the part"
    : "Hold the port from server/deps.ts, and let main.ts hand over the adapter";
  return { file: from, line, wrong: `${from} imports the adapter ${to}`, instead };
}

/** Checks that each file lies in a room, and imports only from the rooms that its room may know. */
export function checkRooms(files: readonly SourceFile[], imports: readonly Import[]): Violation[] {
  const homeless = files.filter(({ path }) =>
    isCode(path) && roomOf(path) === undefined && !path.startsWith("static/")
  );
  return [
    ...homeless.map(({ path }): Violation => ({
      file: path,
      line: 1,
      wrong: "This file is in no room of the house, so no rule says what may import it",
      instead: "Put it into a room, or give it one in scripts/house/rooms.ts",
    })),
    ...imports.flatMap((found) => wrongDirection(found) ?? wrongConnector(found) ?? wrongAdapter(found) ?? []),
  ];
}
