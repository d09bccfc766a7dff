import { installPackage } from "./apt.ts";

/** Debian's Python. */
export const PYTHON = "/usr/bin/python3";

/** Whether Debian's Python has pika, once apt has had its chance; other systems may have none. */
export async function pikaIsPresent(): Promise<boolean> {
  const imported = async () => {
    const python = new Deno.Command(PYTHON, { args: ["-c", "import pika"], stderr: "null" });
    return await python.output().then(({ success }) => success, () => false);
  };
  if (await imported()) return true;
  await installPackage("python3-pika").catch(() => {});
  return await imported();
}
