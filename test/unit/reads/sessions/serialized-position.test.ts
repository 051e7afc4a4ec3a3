import { expect, test } from 'vitest';
import {
  type PagePosition,
  parsePagePosition,
  serializePagePosition,
} from '../../../../shared/reads/sessions/session-page.ts';

const position: PagePosition = {
  from: '2026-03-01',
  to: '2026-03-14',
  last: ['2026-03-10', 1_773_100_000_000, 'slp_1'],
  seen: [['2026-03-10', 1_773_100_000_000, 1_773_125_000_000]],
};
/** Cursors outlive a release: the next release must read what the previous one wrote. */
const serialized =
  '{"from":"2026-03-01","to":"2026-03-14","last":["2026-03-10",1773100000000,"slp_1"],"seen":[["2026-03-10",1773100000000,1773125000000]]}';

test('a page position is written in the stable format, and read back', () => {
  expect(serializePagePosition(position)).toBe(serialized);
  expect(parsePagePosition(serialized)).toEqual(position);
});

test.each(['', 'null', '{}', serialized.replace('"slp_1"', 'null')])('%j is not a page position', (text) => {
  expect(() => parsePagePosition(text)).toThrow();
});
