// Which reports are versions of one session: those the source gives the same name; without a name, those of one device that start together.

export interface SessionIdentity {
  id: string;
  device: number;
  startMs: number;
  sourceId?: string | undefined;
}

export interface SessionVersion<Row> {
  date: string;
  row: Row;
  /** False once the source has taken it back: it stands nowhere then, but is still known if it comes again. */
  isStored: boolean;
}

export class KnownSessions<Row extends SessionIdentity> {
  readonly #byStart = new Map<string, Set<SessionVersion<Row>>>();
  readonly #byName = new Map<string, Set<SessionVersion<Row>>>();

  add(version: SessionVersion<Row>): void {
    const { row } = version;
    addToSet(this.#byStart, startKey(row), version);
    if (row.sourceId !== undefined) addToSet(this.#byName, sourceKey(row.device, row.sourceId), version);
  }

  remove(version: SessionVersion<Row>): void {
    const { row } = version;
    this.#byStart.get(startKey(row))?.delete(version);
    if (row.sourceId !== undefined) this.#byName.get(sourceKey(row.device, row.sourceId))?.delete(version);
  }

  /** A name is learned for a session that had none; a report without a name is a version of the first that starts with it. */
  findVersions(row: Row): SessionVersion<Row>[] {
    const sameStart = [...(this.#byStart.get(startKey(row)) ?? [])];
    const sourceId = row.sourceId ?? sameStart.find((other) => other.row.sourceId !== undefined)?.row.sourceId;
    const sameSource = sourceId === undefined ? [] : (this.#byName.get(sourceKey(row.device, sourceId)) ?? []);
    return [...sameSource, ...sameStart.filter((other) => other.row.sourceId === undefined)];
  }
}

function addToSet<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
  const known = sets.get(name);
  if (known) known.add(value);
  else sets.set(name, new Set([value]));
}

const startKey = ({ device, startMs }: SessionIdentity): string => `${device}#${startMs}`;
const sourceKey = (device: number, sourceId: string): string => `${device}#${sourceId}`;
