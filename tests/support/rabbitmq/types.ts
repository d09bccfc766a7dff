/** A RabbitMQ that tests can use. It may be anybody's: leave no queues and exchanges behind. */
export interface Rabbitmq {
  /** Where it listens, such as `amqp://guest:guest@127.0.0.1:5672`. */
  readonly url: string;
  /** In words, which RabbitMQ this is. */
  readonly how: string;
  /** Ends and removes it, if this run started it. Safe to call twice. */
  stop(): Promise<void>;
}

/** A RabbitMQ that belongs to whoever started it, who may do harm to it. */
export interface PrivateNode extends Rabbitmq {
  /** Holds all that it writes (`output.log`, `log/`, `mnesia/`) where it runs on this machine itself. */
  readonly folder?: string;
  /** Ends the broker at once, as `kill -9` or a power cut does. Resolves when it is gone; does nothing if it is. */
  kill(): Promise<void>;
  /** Starts the broker on the same port with the data it had, after a kill if it still runs, until it accepts AMQP. */
  restart(): Promise<void>;
  /** Runs `rabbitmqctl` on the node: `ctl("set_vm_memory_high_watermark", "0")` raises a memory alarm, say. */
  ctl(...args: string[]): Promise<void>;
}
