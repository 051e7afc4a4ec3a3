import { even, tickForLong } from './long-ticks.ts';

tickForLong(even);
