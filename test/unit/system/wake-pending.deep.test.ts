import { even, tickForLong } from './long-schedule-runs.ts';

tickForLong(even);
