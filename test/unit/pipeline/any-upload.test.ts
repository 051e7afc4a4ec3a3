import { beforeEach } from 'vitest';
import { open, testAnyUpload, testManySessions } from './any-upload.ts';

beforeEach(open);

testManySessions();
testAnyUpload(8);
