// Words that say nothing about what a reader looks for: the index leaves them out, and an entry
// may lack them.
export const commonWords: ReadonlySet<string> = new Set(
  'and the for are its that this with from not has have was were been will can may into than then them they their there each when which who what how one two all any only also but you your does own every after same without nothing says once about before again within never more another most nobody until other else while cannot itself ones whose over longer because both'.split(
    ' ',
  ),
);
