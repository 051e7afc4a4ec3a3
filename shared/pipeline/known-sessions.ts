// Which reports are versions of one session: those the source gives the same name; without a name, those of one device that start together.

export interface Identified {
  id: string;
  device: number;
  startMs: number;
  sourceId?: string | undefined;
}

export interface Version<Row> {
  date: string;
  row: Row;
  /** False once the source has taken it back: it stands nowhere then, but is still known if it comes again. */
  stands: boolean;
}

export class KnownSessions<Row extends Identified> {
  readonly #byStart = new Map<string, Set<Version<Row>>>();
  readonly #byName = new Map<string, Set<Version<Row>>>();

  add(version: Version<Row>): void {
    const { row } = version;
    into(this.#byStart, startOf(row), version);
    if (row.sourceId !== undefined) into(this.#byName, nameOf(row.device, row.sourceId), version);
  }

  forget(version: Version<Row>): void {
    const { row } = version;
    this.#byStart.get(startOf(row))?.delete(version);
    if (row.sourceId !== undefined) this.#byName.get(nameOf(row.device, row.sourceId))?.delete(version);
  }

  /** A name is learned for a session that had none; a report without a name is a version of the first that starts with it. */
  versionsOf(row: Row): Version<Row>[] {
    const together = [...(this.#byStart.get(startOf(row)) ?? [])];
    const sourceId = row.sourceId ?? together.find((other) => other.row.sourceId !== undefined)?.row.sourceId;
    const named = sourceId === undefined ? [] : (this.#byName.get(nameOf(row.device, sourceId)) ?? []);
    return [...named, ...together.filter((other) => other.row.sourceId === undefined)];
  }
}

function into<T>(sets: Map<string, Set<T>>, name: string, one: T): void {
  const known = sets.get(name);
  if (known) known.add(one);
  else sets.set(name, new Set([one]));
}

const startOf = ({ device, startMs }: Identified): string => `${device}#${startMs}`;
const nameOf = (device: number, sourceId: string): string => `${device}#${sourceId}`;
