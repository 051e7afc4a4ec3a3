import { beforeEach } from 'vitest';
import { open, testAnyUpload, testUploadLimits } from './any-upload.ts';

beforeEach(open);

testUploadLimits();
testAnyUpload(25);
