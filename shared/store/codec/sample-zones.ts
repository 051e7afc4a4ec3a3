// The zones of the few samples during which a phone's clocks changed. They stand beside the block
// of their day, which the release before reads without them:
//   layout byte, count of zones, their names,
//   runs of (count of samples, 0 for no zone or the zone's position counted from 1), checksum
//   compressed as a whole where that is shorter, as sample blocks are
import { ByteReader, ByteWriter, UnreadableDay } from './bytes.ts';
import { compressed, decompressed } from './compression.ts';
import type { KeptSample } from './kept-sample.ts';

const plain = 0x51;
const packed = 0x52;

type Zoned = Pick<KeptSample, 'fallbackZone'>;

/** Undefined when none of the samples has one. */
export function packZones(samples: readonly Zoned[]): Uint8Array | undefined {
  const zones = [...new Set(samples.flatMap(({ fallbackZone }) => fallbackZone ?? []))];
  if (zones.length === 0) return undefined;
  const body = new ByteWriter();
  body.varint(zones.length);
  for (const zone of zones) body.text(zone);
  for (let at = 0; at < samples.length; ) {
    const zone = samples[at]?.fallbackZone;
    let end = at + 1;
    while (end < samples.length && samples[end]?.fallbackZone === zone) end++;
    body.varint(end - at);
    body.varint(zone === undefined ? 0 : 1 + zones.indexOf(zone));
    at = end;
  }
  const bytes = body.written();
  const smaller = compressed(bytes);
  const writer = new ByteWriter().start(smaller ? packed : plain);
  if (smaller) writer.varint(bytes.length);
  writer.raw(smaller ?? bytes);
  return writer.finish();
}

/** Into the samples that they were packed with, in the same order. */
export function unpackZones(bytes: Uint8Array, samples: readonly Zoned[]): void {
  const reader = new ByteReader();
  const layout = reader.start(bytes);
  if (layout === packed) reader.over(decompressed(reader.varint(), reader.rest()));
  else if (layout !== plain)
    throw new UnreadableDay(
      `the zones of samples have layout ${layout}, which this release does not know: deploy the one that wrote it`,
    );
  const zones: string[] = [];
  for (let left = reader.varint(); left > 0; left--) zones.push(reader.text());
  for (let at = 0; at < samples.length; ) {
    const end = at + reader.varint();
    const place = reader.varint();
    if (end === at || end > samples.length || place > zones.length)
      throw new UnreadableDay('the zones of samples have a run of impossible length or zone');
    for (; at < end; at++) {
      const sample = samples[at];
      if (sample && place > 0) sample.fallbackZone = zones[place - 1];
    }
  }
  reader.finish();
}
