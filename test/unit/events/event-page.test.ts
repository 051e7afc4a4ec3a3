// Which pages of the feed are damaged, and which ones only a newer release can read.
import { expect, test } from 'vitest';
import { packEvents, UnknownLayout, unpackEvents } from '../../../shared/events/event-page.ts';

const packed = packEvents([{ id: 'evt_1', type: 'user.created', atMs: 1 }]);
const [layout = 0] = packed;

test.each([
  ['is empty', new Uint8Array()],
  ['has a layout and no events', packed.subarray(0, 1)],
  ['ends too early', packed.subarray(0, -1)],
])('a page that %s is damaged, and was not written by a newer release', (_what, damaged) => {
  expect(() => unpackEvents(damaged)).toThrow();
  expect(() => unpackEvents(damaged)).not.toThrow(UnknownLayout);
});

test('a page of another layout was written by a newer release, whatever follows', () => {
  for (const rest of [packed.subarray(1), new Uint8Array()])
    expect(() => unpackEvents(Uint8Array.of(layout + 1, ...rest))).toThrow(UnknownLayout);
});
