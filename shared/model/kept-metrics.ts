// Metrics as rows and kept uploads name them, in text: one that was renamed since is read as what it is called now.
import * as z from 'zod';

const renamed: ReadonlyMap<string, string> = new Map([['main_sleep', 'longest_sleep']]);

export const metricNameNow = (name: string): string => renamed.get(name) ?? name;

export const KeptMetrics = z.array(z.string().transform(metricNameNow));
