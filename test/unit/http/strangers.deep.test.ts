import { describe } from 'vitest';
import { tryLimits } from './stranger-calls.ts';

describe('calls without a credential', () => tryLimits());
