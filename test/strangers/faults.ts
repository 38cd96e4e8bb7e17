import type { StrangerName } from './servers.ts'

/** A fault in a stranger, and the requirements of which one has to name it, without the protocol prefix. */
interface PlantedFault {
  readonly stranger: StrangerName
  readonly fails: readonly string[]
  /** No sentence of the document forbids it, so recommendations name it. */
  readonly isAllowed?: true
}

const agentWebkit = (...fails: readonly string[]): PlantedFault => ({ stranger: 'agent-webkit-server', fails })
const osworld = (...fails: readonly string[]): PlantedFault => ({ stranger: 'osworld-like', fails })

const observer = (...fails: readonly string[]): PlantedFault => ({ stranger: 'observer-like', fails })

const INPUT = 'shape:post-sessions-session_id-input'

/**
 * Faults by name, as the programs read it from FAULT: limits that are off by one, losses now and then, work in turn,
 * side effects at a disconnect, constants for measurements, wrong types and statuses, and missing fields.
 */
export const FAULTS: Readonly<Record<string, PlantedFault>> = {
  'streams as text': agentWebkit('stream:opens'),
  'answers 200 to inputs': agentWebkit('input:text', INPUT),
  'answers 410 to evicted cursors': agentWebkit('stream:evicted'),
  'loses a delta now and then': agentWebkit('stream:subscribers'),
  'loses a delta before it counts': { ...agentWebkit('turn:delta-text'), isAllowed: true },
  'counts ids by two': agentWebkit('stream:resume'),
  'sends no ids': agentWebkit('stream:framing'),
  'keeps silent when idle': agentWebkit('stream:keepalive'),
  'names version 2': agentWebkit('shape:event-session_ready', 'stream:first'),
  'omits is_error': agentWebkit('shape:event-tool_result'),
  'names no tool': agentWebkit('shape:event-permission_request'),
  'forgets tool events': agentWebkit('turn:tool', 'shape:event-tool_use'),
  'skips the final done': agentWebkit('close:done'),
  'holds ten events': { ...agentWebkit('stream:ring'), isAllowed: true },
  'repeats the last event on resume': agentWebkit('stream:resume'),
  'takes every reply': agentWebkit('permission:second'),
  'denies when a reader leaves': agentWebkit('stream:leaving', 'permission:late-subscriber'),
  'ignores interrupts': agentWebkit('turn:interrupt'),
  'ends no turn': agentWebkit('turn:result'),

  'moves one pixel too far': osworld('pointer:position', 'input:move-to'),
  'clicks beside the point': osworld('input:click', 'action:click'),
  'has no context menu': osworld('input:right-click', 'action:right-click'),
  'clicks once for a double click': osworld('input:double-click', 'action:double-click'),
  'drags nothing': osworld('input:drag-to', 'action:drag-to'),
  'drops every fiftieth letter': osworld('input:write', 'input:typewrite'),
  'succeeds always': osworld('program:error'),
  'calls the returncode return_code': osworld('shape:post-execute'),
  'calls pictures JPEG': osworld('screen:picture'),
  'reports one pixel too many': osworld('screen:size'),
  'reports a pointer that never moves': osworld('pointer:position', 'input:move-to'),
  'writes tuples without a blank': osworld('tree:tuples'),
  'shows a row of one element too many': osworld('tree:limits'),
  'nests one level too deep': osworld('tree:limits'),
  'releases the button when a connection closes': osworld('input:held-button'),
  'releases keys when a connection closes': osworld('input:held-key'),
  'loses every fiftieth click': { ...osworld('input:every-click'), isAllowed: true },
  'answers one request after another': { ...osworld('company:program'), isAllowed: true },
  'never focuses': { ...osworld('tree:focused'), isAllowed: true },

  'answers 200 to errors': observer('error:ElementNotFound', 'find:missing'),
  'omits enabled': observer('shape:get-api-structure'),
  'always has one hash': observer('receipt:hashes'),
  'counts windows from 1': observer('windows:count'),
  'writes pids as text': observer('shape:get-api-windows'),
  'focuses every window': observer('windows:focus'),
  'counts one window too many': observer('windows:count'),
  'always counts seventeen elements': observer('structure:count'),
  'places every match at its window': observer('find:element'),
  'counts one match too many': observer('find:matches'),
  'acts in a dry run': observer('receipt:dry-run'),
  'focuses nothing': observer('scenario:reaction'),
  'always reports a change': observer('receipt:hashes', 'receipt:dry-run'),
  'types all but the last letter': observer('scenario:reaction', 'action:type'),
  'has no description': observer('description:text'),
  'describes in another mode': observer('shape:get-api-description'),
  'loads a scenario once': observer('scenario:reset'),
}
