// Binary format of the values a provider reported before conversion, stored only where they differ:
// a dictionary of (unit, decimals) and one varint per value.

import { getUnitCode, getUnitName, unlistedUnit } from '../../catalog/unit-codes.ts';
import { type ByteReader, type ByteWriter, chooseBitWidth, UnreadableData } from '../../platform/bytes.ts';
import type { Original } from '../records.ts';
import type { OriginalRow, Originals } from './original-row.ts';

export const maxOriginalDecimals = 6;
/** Takes the place of the number of decimals for a number that is not a short decimal. */
export const doubleForm = 255;
const maxInteger = 2 ** 31 - 1;
const powersOfTen = Float64Array.from({ length: maxOriginalDecimals + 1 }, (_, decimals) => 10 ** decimals);

function findDecimals(value: number): number {
  for (let decimals = 0; decimals <= maxOriginalDecimals; decimals++) {
    const power = 10 ** decimals;
    const integer = Math.round(value * power);
    if (Math.abs(integer) > maxInteger) return doubleForm;
    // Adding zero turns -0 into 0, so that -0 is stored as a double.
    if (Object.is((integer + 0) / power, value)) return decimals;
  }
  return doubleForm;
}

interface Form {
  unit: string;
  decimals: number;
}

export function writeOriginals(writer: ByteWriter, present: Uint8Array, count: number, originals: Originals): void {
  const forms: Form[] = [];
  const hasOriginal = new Uint8Array(count);
  const formIndexes: number[] = [];
  const storedOriginals: Original[] = [];
  for (let at = 0; at < count; at++) {
    const original = originals.get(present[at] ?? 0);
    if (original === undefined) continue;
    if (!Number.isFinite(original.value))
      throw new RangeError(`an original value must be finite, not ${original.value}`);
    const decimals = findDecimals(original.value);
    let form = forms.findIndex((known) => known.unit === original.unit && known.decimals === decimals);
    if (form === -1) form = forms.push({ unit: original.unit, decimals }) - 1;
    hasOriginal[at] = 1;
    formIndexes.push(form);
    storedOriginals.push(original);
  }
  writer.bits(hasOriginal, count, 1);
  writer.varint(forms.length);
  for (const form of forms) {
    const code = getUnitCode(form.unit);
    writer.varint(code);
    if (code === unlistedUnit) writer.text(form.unit);
    writer.byte(form.decimals);
  }
  writer.bits(formIndexes, storedOriginals.length, chooseBitWidth(forms.length));
  for (const [at, original] of storedOriginals.entries()) {
    const decimals = forms[formIndexes[at] ?? 0]?.decimals ?? doubleForm;
    if (decimals === doubleForm) writer.float64(original.value);
    else writer.zigzag(Math.round(original.value * 10 ** decimals));
  }
}

const hasOriginalBuffer = new Uint8Array(256);
const formIndexBuffer = new Uint8Array(256);

/** Reads into `row`, which must be empty. */
export function readOriginals(reader: ByteReader, present: Uint8Array, count: number, row: OriginalRow): void {
  reader.bits(hasOriginalBuffer, count, 1);
  const forms: Form[] = [];
  for (let left = reader.varint(); left > 0; left--) forms.push(readForm(reader));
  let originalCount = 0;
  for (let at = 0; at < count; at++) originalCount += hasOriginalBuffer[at] ?? 0;
  reader.bits(formIndexBuffer, originalCount, chooseBitWidth(forms.length));
  let originalIndex = 0;
  for (let at = 0; at < count; at++) {
    if (hasOriginalBuffer[at] === 0) continue;
    const form = forms[formIndexBuffer[originalIndex++] ?? 0];
    if (form === undefined) throw new UnreadableData('a packed day refers to a unit it does not list');
    const value = form.decimals === doubleForm ? reader.float64() : reader.zigzag() / (powersOfTen[form.decimals] ?? 1);
    row.set(present[at] ?? 0, value, form.unit);
  }
}

function readForm(reader: ByteReader): Form {
  const code = reader.varint();
  const unit = code === unlistedUnit ? reader.text() : getUnitName(code);
  if (unit === undefined) {
    throw new UnreadableData(`a packed day uses unit code ${code}, which a newer release wrote: deploy that release`);
  }
  const decimals = reader.byte();
  if (decimals > maxOriginalDecimals && decimals !== doubleForm)
    throw new UnreadableData('a packed day has a unit with an invalid number of decimals');
  return { unit, decimals };
}
