import type { CertificationResult } from '../run/outcome.ts'
import { escapeMarkup } from './escape.ts'

const GREEN = '#2c7a4b'
const RED = '#b3372f'
const CHARACTER_PX = 6.6
const PADDING_PX = 16

/** A badge for a README, drawn without any outside font or picture. */
export function createBadge(outcome: CertificationResult): string {
  const label = outcome.protocol
  const text = words(outcome)
  const [left, right] = [label, text].map((part) => Math.round(part.length * CHARACTER_PX + PADDING_PX)) as [
    number,
    number,
  ]
  const width = left + right
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="22" role="img" aria-label="${escapeMarkup(`${label}: ${text}`)}">
<clipPath id="r"><rect width="${width}" height="22" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="22" fill="#33363d"/><rect x="${left}" width="${right}" height="22" fill="${outcome.exitCode === 0 ? GREEN : RED}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="15">${escapeMarkup(label)}</text><text x="${left + right / 2}" y="15">${escapeMarkup(text)}</text></g>
</svg>
`
}

/** A partial run shows no tier. A run can also fail through a harness error or a stale baseline. */
function words({ tier, partial, exitCode, unreachable, conclusion, results }: CertificationResult): string {
  const { failed, unsteady, accepted } = conclusion.counts
  if (unreachable !== undefined) return 'not reachable'
  if (exitCode !== 0) return failed > 0 ? `${failed} failed` : unsteady > 0 ? `${unsteady} unsteady` : 'failed'
  const musts = results.filter(({ level, status }) => level === 'MUST' && status === 'passed').length
  return `${partial ? 'in part' : tier}, ${musts} MUST${accepted > 0 ? `, ${accepted} accepted` : ''}`
}
