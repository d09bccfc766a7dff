/** The ways to come by a RabbitMQ, and which of them this machine offers. */

/** What can be found out about the machine the tests run on. Each look is taken only when the earlier ways are out. */
export interface Surroundings {
  /** The value of `TEST_AMQP_URL`, if it is set. */
  readonly testAmqpUrl: string | undefined;
  /** The path of an installed `rabbitmq-server` start script, if there is one that we can run. */
  installedServer(): Promise<string | undefined>;
  /** Whether packages can be installed: we are root, and there is apt-get. */
  canInstall(): Promise<boolean>;
  /** Whether a Docker daemon answers. */
  dockerAnswers(): Promise<boolean>;
}

/** A way to a RabbitMQ of our own: run what is installed, install it first, or run it in Docker. */
export type PrivateWay =
  | { readonly kind: "installed"; readonly server: string }
  | { readonly kind: "install" }
  | { readonly kind: "docker" };

/** A way to a RabbitMQ: the one we were given, or one of our own. */
export type Way = { readonly kind: "given"; readonly url: string } | PrivateWay;

/** Thrown where there is no way to come by a RabbitMQ; the message says what would open one. */
export class NoRabbitmqError extends Error {
  override name = "NoRabbitmqError";

  /** @param options The failure of a way that was tried, as `cause`. */
  constructor(options?: ErrorOptions) {
    super(
      "Cannot run tests that need RabbitMQ: there is none. Do one of these: " +
        "set TEST_AMQP_URL to the URL of one that tests may use, such as amqp://guest:guest@127.0.0.1:5672; or " +
        "install rabbitmq-server (Debian and Ubuntu: apt-get install rabbitmq-server, or run the tests as root and " +
        "they do it; macOS: brew install rabbitmq); or start Docker, so that `docker info` answers.",
      options,
    );
  }
}

/**
 * Chooses the first way that is open: the RabbitMQ that was given, one that is installed, one that can be installed,
 * Docker.
 *
 * @throws {NoRabbitmqError} If none is.
 */
export async function chooseWay(surroundings: Surroundings): Promise<Way> {
  const { testAmqpUrl } = surroundings;
  return testAmqpUrl ? { kind: "given", url: testAmqpUrl } : await choosePrivateWay(surroundings);
}

/**
 * Chooses as {@linkcode chooseWay} does, but leaves the RabbitMQ that was given alone.
 *
 * @param options Of the error, if it is thrown.
 * @throws {NoRabbitmqError} If no way is open.
 */
export async function choosePrivateWay(surroundings: Surroundings, options?: ErrorOptions): Promise<PrivateWay> {
  const server = await surroundings.installedServer();
  if (server !== undefined) return { kind: "installed", server };
  if (await surroundings.canInstall()) return { kind: "install" };
  if (await surroundings.dockerAnswers()) return { kind: "docker" };
  throw new NoRabbitmqError(options);
}

const answers = async (command: string, args: string[]): Promise<string | undefined> => {
  try {
    const { success, stdout } = await new Deno.Command(command, { args, stdin: "null", stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
};

const find = (command: string) => answers("sh", ["-c", `command -v -- "$1"`, "find", command]);

// Debian's /usr/sbin/rabbitmq-server changes to the user rabbitmq, who cannot write our folder: so its real script first.
async function installedServer(): Promise<string | undefined> {
  if (!await find("epmd")) return undefined;
  return await find("/usr/lib/rabbitmq/bin/rabbitmq-server") ?? await find("rabbitmq-server");
}

/** Looks at this machine. */
export function lookAround(): Surroundings {
  return {
    testAmqpUrl: Deno.env.get("TEST_AMQP_URL"),
    installedServer,
    canInstall: async () => Deno.uid() === 0 && await find("apt-get") !== undefined,
    dockerAnswers: async () => await answers("docker", ["info"]) !== undefined,
  };
}
