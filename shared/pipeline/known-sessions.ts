// Finds records that are versions of one session: those with the same source id or, without an id,
// those of one device with the same start.

export interface SessionIdentity {
  id: string;
  device: number;
  startMs: number;
  sourceId?: string | undefined;
}

export interface SessionVersion<Row> {
  date: string;
  row: Row;
  /**
   * False once the source has withdrawn the session: it is no longer stored, but is recognized if
   * it arrives again.
   */
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

  /**
   * A session without a source id can gain one. A record without an id is a version of the first
   * session with the same start.
   */
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
