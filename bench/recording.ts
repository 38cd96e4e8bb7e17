import { drawInteger, seededRandom } from '../src/base/random.ts'
import { AGENT_TRACING } from '../src/compose/memory-session.ts'
import { recordTrace } from '../src/recording/record-trace.ts'
import { recordingHtml } from '../src/recording/recording-page.ts'
import { openDesktop } from '../src/testing.ts'
import { QUICK } from './harness/limits.ts'
import { ms, type ReportLine } from './harness/measure.ts'

const STEPS = QUICK ? 200 : 2000
/** The most that the HTML file of 2,000 steps may have. */
const MAX_MEGABYTES = 60

/** Measures building the recording of a long run, and the size of its HTML file. */
export async function benchRecording(): Promise<readonly ReportLine[]> {
  const text = await longTrace()
  const cpu = process.cpuUsage()
  const built = await recordTrace({ path: 'bench', text, read: () => undefined })
  const { user, system } = process.cpuUsage(cpu)
  const { steps, warnings } = built.recording
  if (steps.length !== STEPS || warnings.length > 0) throw new Error(`the run was not recorded: ${warnings.join()}`)
  const megabytes = Buffer.byteLength(await recordingHtml(built)) / 1e6
  return [
    { what: 'processor time of each step', measured: ms((user + system) / 1000 / STEPS) },
    {
      what: `HTML file of ${STEPS} steps`,
      measured: `${megabytes.toFixed(1)} MB`,
      target: `≤ ${MAX_MEGABYTES} MB`,
      met: megabytes <= MAX_MEGABYTES,
    },
  ]
}

/** A trace of clicks, texts, keys and readings at random on the default desktop. */
async function longTrace(): Promise<string> {
  const desktop = openDesktop({ config: { tracing: AGENT_TRACING } })
  await desktop.call('trace_start', { label: 'bench' })
  let random = seededRandom(1)
  const draw = (below: number) => {
    const [value, next] = drawInteger(random, 0, below - 1)
    random = next
    return value
  }
  const keys = ['enter', 'down', 'tab', 'pagedown', 'ctrl+a']
  const calls = [
    () => desktop.tryCall('click_at', { x: draw(1280), y: draw(760) }),
    () => desktop.tryCall('type_text', { text: `word ${draw(1000)}` }),
    () => desktop.tryCall('press_key', { keys: keys[draw(keys.length)]! }),
    () => desktop.tryCall('get_window_structure', {}),
  ]
  for (let step = 0; step < STEPS; step++) await calls[draw(calls.length)]!()
  const { path } = await desktop.call('trace_stop')
  return String(desktop.artifacts.get(path))
}
