// What the source wrote beside each of many samples, as version 1 of sample blocks keeps it: runs of (how many, form), the forms listed first, then one number a sample.
import type { Original } from '../../model/records.ts';
import { type ByteReader, UnreadableDay } from './bytes.ts';
import { asDouble, mostDecimals } from './originals.ts';
import { spelledOut, unitName } from './unit-codes.ts';

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
