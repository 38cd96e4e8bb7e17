import type { StateGraph } from './state-graph.ts'

/** A graph in the language of Mermaid. */
export function toMermaid({ nodes, edges }: StateGraph): string {
  const lines = [
    'flowchart LR',
    ...nodes.map(({ label, kind }, index) => `  n${index}["${escaped(label)}"]:::${kind}`),
    ...edges.map(({ from, to, label }) => `  n${from} -->|"${escaped(label)}"| n${to}`),
    '  classDef start stroke-width:3px',
    '  classDef solved fill:#d7f5dd',
    '  classDef failed fill:#fbdcdc',
    '  classDef unreached stroke-dasharray:4',
    '  classDef open fill:#fff',
  ]
  return `${lines.join('\n')}\n`
}

const escaped = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/"/g, '#quot;')
    .replace(/[<>|\n]/g, ' ')
