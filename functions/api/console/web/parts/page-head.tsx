// The heading of a page, with its one question and its actions.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { words } from '../words/en.ts';

interface PageHeadProps {
  title: string;
  lead?: ComponentChildren;
  /** One primary action at most. */
  actions?: ComponentChildren;
}

export function PageHead({ title, lead, actions }: PageHeadProps) {
  const line = toDisplayLine(title);
  useEffect(() => {
    document.title = words.titleOf(line);
  }, [line]);
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{line}</h1>
        {lead && <p class="lead">{typeof lead === 'string' ? toDisplayLine(lead) : lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}
