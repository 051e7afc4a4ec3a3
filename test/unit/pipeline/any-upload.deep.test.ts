import { beforeEach } from 'vitest';
import { bringAny, bringMost, open } from './any-upload.ts';

beforeEach(open);

bringMost();
bringAny(25);
