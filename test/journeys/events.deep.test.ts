import { test } from 'vitest';
import { writeAndRead } from './read-feed.ts';

test(
  'twenty writers of a hundred events each, and three readers: every reader sees every event once, in one order',
  () => writeAndRead(20),
  120_000,
);
