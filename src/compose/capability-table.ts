import { COMPUTER_CAPABILITIES, type ComputerCapability, capabilitiesWithout } from '../adapters/capabilities.ts'
import { type AdapterColumn, adapterColumns } from '../adapters/open-computer.ts'

/** What each adapter can do, as a Markdown table, with a list of the reasons below. */
async function capabilityTable(): Promise<string> {
  const adapters: readonly AdapterColumn[] = [['`synthetic`', capabilitiesWithout()], ...(await adapterColumns())]
  const reasons: string[] = []
  const cell = (supported: true | string): string => {
    if (supported === true) return 'yes'
    if (!reasons.includes(supported)) reasons.push(supported)
    return `no (${reasons.indexOf(supported) + 1})`
  }
  const rows = Object.entries(COMPUTER_CAPABILITIES).map(([name, meaning]) => [
    `${meaning} (\`${name}\`)`,
    ...adapters.map(([, supports]) => cell(supports[name as ComputerCapability])),
  ])
  const lines = [['', ...adapters.map(([title]) => title)], ['', ...adapters].map(() => '---'), ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`)
  return [...table, '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`)].join('\n')
}

const BEGINNING = '<!-- capabilities: written by npm run reference -->\n'
const END = '<!-- end of capabilities -->'

/** A page with the current table between its marks. Throws if it has no marks. */
export async function withCapabilityTable(page: string): Promise<string> {
  const [before, rest, ...more] = page.split(BEGINNING)
  const end = rest?.indexOf(END) ?? -1
  if (before === undefined || rest === undefined || end < 0 || more.length > 0)
    throw new Error('the page needs the marks of the capabilities once')
  return `${before}${BEGINNING}${await capabilityTable()}\n${rest.slice(end)}`
}
