import { test } from 'vitest';
import { writeAndRead } from './read-feed.ts';

test(
  'with twenty writers of 100 events each and three readers, every reader sees every event once, in the same order',
  () => writeAndRead(20),
  120_000,
);
