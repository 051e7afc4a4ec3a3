// The profiles of a normalized day in bytes, after its devices; nothing at all when no device has any:
//   per device  how many profiles; their span in whole minutes (how long plus one, 0 without pieces; start since the device's before); for each
//               its metric (since the one before) and whether its total is the metric's value, else the total; bytes of its pieces
//   pieces      plain length when compressed, 0 when not, then those of all devices, see profile-pieces.ts
import { type Profile, ProfileMap, type Profiles, type Span } from '../../model/profile.ts';
import { type ByteReader, ByteWriter, UnreadableDay } from './bytes.ts';
import { compressed } from './compression.ts';
import { numberForm, numberForms, readNumber, writeNumber } from './decimals.ts';
import { PackedProfiles, PiecesOfDay } from './packed-profiles.ts';
import { writePieces } from './profile-pieces.ts';

const minuteMs = 60_000;

interface ProfiledRow {
  values: Float64Array;
  profiles?: Profiles | undefined;
}

/** One device's profiles, ready to be written. */
interface Part {
  totals: ReadonlyMap<number, number>;
  span: Span | undefined;
  /** Where its pieces come from: another packed day, or profiles by metric. */
  packed: PackedProfiles | undefined;
  profiles: readonly Profile[];
}

const body = new ByteWriter();

export function writeProfiles(writer: ByteWriter, rows: readonly ProfiledRow[]): void {
  if (!rows.some(({ profiles }) => profiles !== undefined && profiles.size > 0)) return;
  const parts = rows.map(({ profiles }) => partOf(profiles));
  const stored = sameDay(parts);
  const lengths = stored === undefined ? packBody(parts) : parts.map(({ packed }) => packed?.length ?? 0);
  let minute = 0;
  for (const [at, { totals, span }] of parts.entries()) {
    writer.varint(totals.size);
    if (totals.size === 0) continue;
    minute = writeSpan(writer, span, minute);
    writeTotals(writer, totals, rows[at]?.values);
    writer.wideVarint(lengths[at] ?? 0);
  }
  if (stored !== undefined) {
    writer.wideVarint(stored.plainLength);
    writer.raw(stored.stored);
    return;
  }
  const plain = body.written();
  const smaller = compressed(plain);
  writer.wideVarint(smaller === undefined ? 0 : plain.length);
  writer.raw(smaller ?? plain);
}

function partOf(profiles: Profiles | undefined): Part {
  if (profiles instanceof PackedProfiles)
    return { totals: profiles.totals, span: profiles.span, packed: profiles, profiles: [] };
  const sorted = new ProfileMap([...(profiles ?? [])].sort(([a], [b]) => a - b));
  const totals = new Map<number, number>();
  for (const [index, { total }] of sorted) totals.set(index, total);
  return { totals, span: inMinutes(sorted.span), packed: undefined, profiles: [...sorted.values()] };
}

function inMinutes(span: Span | undefined): Span | undefined {
  if (span === undefined) return undefined;
  return {
    startMs: Math.floor(span.startMs / minuteMs) * minuteMs,
    endMs: Math.ceil(span.endMs / minuteMs) * minuteMs,
  };
}

/** The pieces of the day all parts were read from, when these are exactly what it held: then its bytes can stay. */
function sameDay(parts: readonly Part[]): PiecesOfDay | undefined {
  let day: PiecesOfDay | undefined;
  let next = 0;
  for (const { totals, packed } of parts) {
    if (totals.size === 0) continue;
    if (packed === undefined || packed.from !== next) return undefined;
    day ??= packed.ofDay;
    if (packed.ofDay !== day) return undefined;
    next += packed.length;
  }
  return next === day?.length ? day : undefined;
}

/** Into `body`; returns how many bytes each part took. */
function packBody(parts: readonly Part[]): number[] {
  body.clear();
  return parts.map(({ packed, profiles, span }) => {
    const from = body.length;
    if (packed === undefined) writePieces(body, profiles, span?.startMs ?? 0);
    else body.raw(packed.packedPieces());
    return body.length - from;
  });
}

function writeSpan(writer: ByteWriter, span: Span | undefined, minuteBefore: number): number {
  if (span === undefined) {
    writer.varint(0);
    return minuteBefore;
  }
  const minute = span.startMs / minuteMs;
  writer.wideVarint((span.endMs - span.startMs) / minuteMs + 1);
  writer.wideZigzag(minute - minuteBefore);
  return minute;
}

function writeTotals(writer: ByteWriter, totals: ReadonlyMap<number, number>, values: Float64Array | undefined): void {
  let next = 0;
  for (const [index, total] of totals) {
    const value = values?.[index] ?? Number.NaN;
    if (Number.isNaN(value)) throw new RangeError(`metric index ${index} has a profile and no value`);
    if (!Number.isFinite(total)) throw new RangeError(`${total} is not a total a profile can have`);
    const differs = !Object.is(total, value);
    writer.varint((index - next) * 2 + (differs ? 1 : 0));
    if (differs) {
      const form = numberForm(total);
      writer.byte(form);
      writeNumber(writer, form, total);
    }
    next = index + 1;
  }
}

/** Gives each row its profiles, and undefined to those that have none. */
export function readProfiles(reader: ByteReader, rows: readonly ProfiledRow[]): void {
  if (reader.left === 0) {
    for (const row of rows) row.profiles = undefined;
    return;
  }
  const day = new PiecesOfDay();
  let minute = 0;
  let from = 0;
  for (const row of rows) {
    row.profiles = undefined;
    const size = reader.varint();
    if (size === 0) continue;
    const span = readSpan(reader, minute);
    if (span !== undefined) minute = span.startMs / minuteMs;
    const totals = readTotals(reader, size, row.values);
    const length = reader.wideVarint();
    row.profiles = new PackedProfiles(totals, span, day, from, length);
    from += length;
  }
  const plainLength = reader.wideVarint();
  day.hold(reader.rest(), plainLength);
  if (from !== day.length)
    throw new UnreadableDay('the profiles of a packed day are longer or shorter than they state');
}

function readSpan(reader: ByteReader, minuteBefore: number): Span | undefined {
  const minutes = reader.wideVarint() - 1;
  if (minutes < 0) return undefined;
  const startMs = (minuteBefore + reader.wideZigzag()) * minuteMs;
  return { startMs, endMs: startMs + minutes * minuteMs };
}

function readTotals(reader: ByteReader, size: number, values: Float64Array): Map<number, number> {
  const totals = new Map<number, number>();
  let next = 0;
  for (let left = size; left > 0; left--) {
    const code = reader.varint();
    const index = next + (code >>> 1);
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) throw new UnreadableDay('a packed day has a profile of a metric without a value');
    totals.set(index, code & 1 ? readTotal(reader) : value);
    next = index + 1;
  }
  return totals;
}

function readTotal(reader: ByteReader): number {
  const form = reader.byte();
  if (form >= numberForms) throw new UnreadableDay('a packed day has a total of an unknown form');
  const total = readNumber(reader, form);
  if (!Number.isFinite(total)) throw new UnreadableDay('a packed day has a total that is no number');
  return total;
}
