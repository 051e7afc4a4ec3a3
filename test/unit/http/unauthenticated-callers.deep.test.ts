import { describe } from 'vitest';
import { tryLimits } from './unauthenticated-calls.ts';

describe('unauthenticated calls', () => tryLimits());
