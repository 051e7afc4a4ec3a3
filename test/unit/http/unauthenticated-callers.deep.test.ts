import { describe } from 'vitest';
import { testLimits } from './unauthenticated-calls.ts';

describe('unauthenticated calls', () => testLimits());
