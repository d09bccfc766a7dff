import assert from "node:assert/strict";

/** The metrics of a service, read once. */
export class Scrape {
  readonly #samples: ReadonlyMap<string, number>;

  constructor(readonly text: string) {
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    this.#samples = new Map(lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }));
  }

  /** Reads the metrics of the service at `url`. */
  static async of(url: string, headers: Record<string, string> = {}): Promise<Scrape> {
    const response = await fetch(`${url}/metrics`, { headers });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return new Scrape(text);
  }

  /** Reads them again and again until `holds`. */
  static async until(url: string, holds: (scrape: Scrape) => boolean): Promise<Scrape> {
    for (;;) {
      const scrape = await Scrape.of(url);
      if (holds(scrape)) return scrape;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** A sample by its name and labels as they are written: `inlet_polls_total{connector="email",outcome="failed"}`. */
  value(sample: string): number | undefined {
    return this.#samples.get(sample);
  }

  /** Names of all metrics, with and without samples. */
  names(): string[] {
    return Array.from(this.text.matchAll(/^# TYPE (\S+)/gm), ([, name = ""]) => name);
  }
}
