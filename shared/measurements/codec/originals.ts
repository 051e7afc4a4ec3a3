// What a provider reported before conversion, kept only where it differs: a dictionary of (unit, decimals) and one varint a value.

import { spelledOut, unitCode, unitName } from '../../catalog/unit-codes.ts';
import { type ByteReader, type ByteWriter, bitWidth, UnreadableDay } from '../../platform/bytes.ts';
import type { Original } from '../records.ts';
import type { OriginalRow, Originals } from './original-row.ts';

export const mostDecimals = 6;
/** Stands where the decimals would, for a number that is not a short decimal. */
export const asDouble = 255;
const largestInteger = 2 ** 31 - 1;
const powersOfTen = Float64Array.from({ length: mostDecimals + 1 }, (_, decimals) => 10 ** decimals);

function decimalsOf(value: number): number {
  for (let decimals = 0; decimals <= mostDecimals; decimals++) {
    const power = 10 ** decimals;
    const integer = Math.round(value * power);
    if (Math.abs(integer) > largestInteger) return asDouble;
    // Adding zero turns -0 into 0, so that -0 is kept as a double.
    if (Object.is((integer + 0) / power, value)) return decimals;
  }
  return asDouble;
}

interface Form {
  unit: string;
  decimals: number;
}

export function writeOriginals(writer: ByteWriter, present: Uint8Array, count: number, originals: Originals): void {
  const forms: Form[] = [];
  const has = new Uint8Array(count);
  const formOf: number[] = [];
  const kept: Original[] = [];
  for (let at = 0; at < count; at++) {
    const original = originals.get(present[at] ?? 0);
    if (original === undefined) continue;
    if (!Number.isFinite(original.value))
      throw new RangeError(`an original value of ${original.value} cannot be stored`);
    const decimals = decimalsOf(original.value);
    let form = forms.findIndex((known) => known.unit === original.unit && known.decimals === decimals);
    if (form === -1) form = forms.push({ unit: original.unit, decimals }) - 1;
    has[at] = 1;
    formOf.push(form);
    kept.push(original);
  }
  writer.bits(has, count, 1);
  writer.varint(forms.length);
  for (const form of forms) {
    const code = unitCode(form.unit);
    writer.varint(code);
    if (code === spelledOut) writer.text(form.unit);
    writer.byte(form.decimals);
  }
  writer.bits(formOf, kept.length, bitWidth(forms.length));
  for (const [at, original] of kept.entries()) {
    const decimals = forms[formOf[at] ?? 0]?.decimals ?? asDouble;
    if (decimals === asDouble) writer.float64(original.value);
    else writer.zigzag(Math.round(original.value * 10 ** decimals));
  }
}

const has = new Uint8Array(256);
const formOf = new Uint8Array(256);

/** Into `row`, which must be clear. */
export function readOriginals(reader: ByteReader, present: Uint8Array, count: number, row: OriginalRow): void {
  reader.bits(has, count, 1);
  const forms: Form[] = [];
  for (let left = reader.varint(); left > 0; left--) forms.push(readForm(reader));
  let holders = 0;
  for (let at = 0; at < count; at++) holders += has[at] ?? 0;
  reader.bits(formOf, holders, bitWidth(forms.length));
  let holder = 0;
  for (let at = 0; at < count; at++) {
    if (has[at] === 0) continue;
    const form = forms[formOf[holder++] ?? 0];
    if (form === undefined) throw new UnreadableDay('a packed day names a unit it does not list');
    const value = form.decimals === asDouble ? reader.float64() : reader.zigzag() / (powersOfTen[form.decimals] ?? 1);
    row.set(present[at] ?? 0, value, form.unit);
  }
}

function readForm(reader: ByteReader): Form {
  const code = reader.varint();
  const unit = code === spelledOut ? reader.text() : unitName(code);
  if (unit === undefined) {
    throw new UnreadableDay(`a packed day uses unit code ${code}, which a newer release wrote: deploy that release`);
  }
  const decimals = reader.byte();
  if (decimals > mostDecimals && decimals !== asDouble)
    throw new UnreadableDay('a packed day holds an impossible unit');
  return { unit, decimals };
}
