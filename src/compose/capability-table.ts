import {
  type Capabilities,
  COMPUTER_CAPABILITIES,
  type ComputerCapability,
  capabilitiesWithout,
} from '../adapters/capabilities.ts'
import { waylandCapabilities, x11Capabilities } from '../adapters/linux/capabilities.ts'
import { macCapabilities } from '../adapters/macos/capabilities.ts'
import { REMOTE_LIMITS, remoteCapabilities } from '../adapters/remote/hello.ts'
import { windowsCapabilities } from '../adapters/windows/capabilities.ts'

/** The adapters as the guide of real desktops compares them. */
const ADAPTERS: readonly (readonly [title: string, supports: Capabilities])[] = [
  ['`synthetic`', capabilitiesWithout()],
  ['`linux`, X11', x11Capabilities(true)],
  ['`linux`, Wayland alone', waylandCapabilities()],
  ['`macos`, not verified on a Mac', macCapabilities(true, true)],
  ['`windows`, tested under Wine', windowsCapabilities()],
  ['`remote`, Backlot', capabilitiesWithout(REMOTE_LIMITS)],
  ['`remote`, documented routes only', remoteCapabilities(new Set(), {})],
]

/** What each adapter can do, as a Markdown table, with a list of the reasons below. */
export function capabilityTable(): string {
  const reasons: string[] = []
  const cell = (supported: true | string): string => {
    if (supported === true) return 'yes'
    if (!reasons.includes(supported)) reasons.push(supported)
    return `no (${reasons.indexOf(supported) + 1})`
  }
  const rows = Object.entries(COMPUTER_CAPABILITIES).map(([name, meaning]) => [
    `${meaning} (\`${name}\`)`,
    ...ADAPTERS.map(([, supports]) => cell(supports[name as ComputerCapability])),
  ])
  const lines = [['', ...ADAPTERS.map(([title]) => title)], ['', ...ADAPTERS].map(() => '---'), ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`)
  return [...table, '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`)].join('\n')
}

const BEGINNING = '<!-- capabilities: written by npm run reference -->\n'
const END = '<!-- end of capabilities -->'

/** A page with the current table between its marks. Throws if it has no marks. */
export function withCapabilityTable(page: string): string {
  const [before, rest, ...more] = page.split(BEGINNING)
  const end = rest?.indexOf(END) ?? -1
  if (before === undefined || rest === undefined || end < 0 || more.length > 0)
    throw new Error('the page needs the marks of the capabilities once')
  return `${before}${BEGINNING}${capabilityTable()}\n${rest.slice(end)}`
}
