import { beforeEach } from 'vitest';
import { bringAny, bringManySessions, open } from './any-upload.ts';

beforeEach(open);

bringManySessions();
bringAny(8);
