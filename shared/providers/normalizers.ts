// The normalizer of every source and format.
import type { Normalizer, SourceFormat } from './kit/normalizer.ts';
import { sdkFormat } from './phone/format.ts';
import { normalizeUpload } from './phone/normalize.ts';

/** The data was written by a newer release, or its source is unknown to this release. */
export class UnknownFormat extends Error {
  constructor({ source, format }: SourceFormat) {
    super(`This release cannot read format ${format} of source ${source}. Upgrade, then retry the upload.`);
  }
}

export async function getNormalizer({ source, format }: SourceFormat): Promise<Normalizer> {
  if (source === sdkFormat.source && format === sdkFormat.format) return normalizeUpload;
  const { cloudNormalizers } = await import('./cloud-normalizers.ts');
  const match = cloudNormalizers.find((each) => each.source === source && each.format === format);
  if (!match) throw new UnknownFormat({ source, format });
  return match.normalize;
}
