// What the source wrote beside each of many samples: runs of (how many, form), the forms listed first, then one number a sample.
import type { Original } from '../../model/records.ts';
import { type ByteReader, type ByteWriter, UnreadableDay } from './bytes.ts';
import { asDouble, decimalsOf, mostDecimals } from './originals.ts';
import { spelledOut, unitCode, unitName } from './unit-codes.ts';

interface Holder {
  value: number;
  original?: Original;
}
interface Form {
  unit: string;
  decimals: number;
}

/** Stands where the decimals would: the same number in another unit, so nothing more is written. */
const sameNumber = 254;
/** The first place in the list of forms belongs to samples without an original. */
const without = 0;

function formOf({ value, original }: Holder): Form | undefined {
  if (original === undefined) return undefined;
  if (!Number.isFinite(original.value)) throw new RangeError(`an original value of ${original.value} cannot be stored`);
  const decimals = Object.is(original.value, value) ? sameNumber : decimalsOf(original.value);
  return { unit: original.unit, decimals };
}

export function writeOriginalRuns(writer: ByteWriter, samples: readonly Holder[]): void {
  const forms: Form[] = [];
  const places = new Map<string, number>();
  const placeOf = samples.map((sample) => {
    const form = formOf(sample);
    if (form === undefined) return without;
    const name = `${form.decimals} ${form.unit}`;
    const place = places.get(name) ?? forms.push(form);
    places.set(name, place);
    return place;
  });
  writer.varint(forms.length);
  if (forms.length === 0) return;
  for (const { unit, decimals } of forms) {
    const code = unitCode(unit);
    writer.varint(code);
    if (code === spelledOut) writer.text(unit);
    writer.byte(decimals);
  }
  for (let at = 0; at < samples.length; ) {
    const place = placeOf[at] ?? without;
    let end = at + 1;
    while (end < samples.length && placeOf[end] === place) end++;
    writer.varint(end - at);
    writer.varint(place);
    at = end;
  }
  for (const [at, { original }] of samples.entries()) {
    const form = forms[(placeOf[at] ?? without) - 1];
    if (form === undefined || original === undefined || form.decimals === sameNumber) continue;
    if (form.decimals === asDouble) writer.float64(original.value);
    else writer.zigzag(Math.round(original.value * 10 ** form.decimals));
  }
}

export function readOriginalRuns(reader: ByteReader, samples: readonly Holder[]): void {
  const forms: Form[] = [];
  for (let left = reader.varint(); left > 0; left--) forms.push(readForm(reader));
  if (forms.length === 0) return;
  const runs: [end: number, form: Form | undefined][] = [];
  for (let at = 0; at < samples.length; ) {
    const end = at + reader.varint();
    const place = reader.varint();
    if (end === at || end > samples.length || place > forms.length)
      throw new UnreadableDay('a sample block has a run of impossible length or unit');
    runs.push([end, forms[place - 1]]);
    at = end;
  }
  let at = 0;
  for (const [end, form] of runs) {
    for (; at < end; at++) {
      const sample = samples[at];
      if (form !== undefined && sample !== undefined)
        sample.original = { value: readNumber(reader, form, sample), unit: form.unit };
    }
  }
}

function readNumber(reader: ByteReader, { decimals }: Form, sample: Holder): number {
  if (decimals === sameNumber) return sample.value;
  return decimals === asDouble ? reader.float64() : reader.zigzag() / 10 ** decimals;
}

function readForm(reader: ByteReader): Form {
  const code = reader.varint();
  const unit = code === spelledOut ? reader.text() : unitName(code);
  if (unit === undefined) {
    throw new UnreadableDay(`a sample block uses unit code ${code}, which a newer release wrote: deploy that release`);
  }
  const decimals = reader.byte();
  if (decimals > mostDecimals && decimals !== asDouble && decimals !== sameNumber)
    throw new UnreadableDay('a sample block holds an impossible unit');
  return { unit, decimals };
}
