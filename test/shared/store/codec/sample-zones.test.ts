import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnreadableDay } from '../../../../shared/store/codec/bytes.ts';
import { packZones, unpackZones } from '../../../../shared/store/codec/sample-zones.ts';
import { resealed } from './damage.ts';

type Zoned = { fallbackZone?: string | undefined };
const withZones = (zones: readonly (string | null)[]): Zoned[] =>
  zones.map((zone) => (zone === null ? {} : { fallbackZone: zone }));
const bare = ({ length }: ArrayLike<unknown>): Zoned[] => Array.from({ length }, () => ({}));

describe('the zones of samples', () => {
  test('are written so byte by byte, or get a layout byte of their own', () => {
    const packed = packZones(withZones([null, null, 'America/New_York', null, 'Asia/Gaza']));
    const golden = '5102' + '10416d65726963612f4e65775f596f726b' + '09417369612f47617a61' + '0200010101000102' + '7158';
    expect(Buffer.from(packed ?? []).toString('hex')).toBe(golden);
  });

  test('are read as they were written, whichever samples have one', () => {
    const zone = fc.constantFrom(null, null, 'America/New_York', 'Pacific/Apia', 'Europe/Berlin');
    fc.assert(
      fc.property(fc.array(zone, { maxLength: 300 }), (zones) => {
        const samples = withZones(zones);
        const packed = packZones(samples);
        expect(packed === undefined).toBe(zones.every((each) => each === null));
        const read = bare(samples);
        if (packed) unpackZones(packed, read);
        expect(read).toEqual(samples);
      }),
    );
  });

  test('of many samples that take turns are a bit or two each', () => {
    const samples = withZones(
      Array.from({ length: 50_000 }, (_none, at) => ((at * 7919) % 13 < 6 ? 'Asia/Gaza' : null)),
    );
    expect(packZones(samples)?.length).toBeLessThan(samples.length / 4);
  });

  test('that do not belong to the samples, or are damaged, are an error and never a hang', () => {
    const samples = withZones(['Asia/Gaza', null, 'Asia/Gaza']);
    const packed = packZones(samples) ?? new Uint8Array();
    expect(() => unpackZones(packed, bare([1, 2]))).toThrow(UnreadableDay);
    expect(() => unpackZones(packed, bare([1, 2, 3, 4]))).toThrow(UnreadableDay);
    const single = packZones(withZones(['Asia/Gaza'])) ?? new Uint8Array();
    // The place of the zone stands before the checksum, and there is but one.
    expect(() => unpackZones(resealed(single, single.length - 3, 2), bare([1]))).toThrow(UnreadableDay);
    for (let at = 0; at < packed.length - 2; at++)
      for (const wrong of [0, 1, 0x7f, 0xff]) {
        const read = bare(samples);
        try {
          unpackZones(resealed(packed, at, wrong), read);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableDay);
        }
        expect(read).toHaveLength(samples.length);
      }
  });
});
