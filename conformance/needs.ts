import type { RequirementId } from './check.ts'

/**
 * What checks rely on, by the beginning of their ids: without it they cannot come to what they are about. When a check
 * fails and what it relies on has failed too, it is not judged because of that. Only a MUST is relied on.
 */
const NEEDS: readonly (readonly [start: string, needed: RequirementId])[] = [
  ['agent-webkit:stream:', 'agent-webkit:stream:opens'],
  // They fill the log of a session with bursts, or the buffers of a reader.
  ['agent-webkit:stream:evicted', 'agent-webkit:stream:prompt'],
  ['agent-webkit:stream:edge', 'agent-webkit:stream:prompt'],
  ['agent-webkit:stream:ring', 'agent-webkit:stream:prompt'],
  ['agent-webkit:stream:zero-after-eviction', 'agent-webkit:stream:prompt'],
  ['agent-webkit:stream:slow', 'agent-webkit:stream:prompt'],
  ['agent-webkit:stream:stalled', 'agent-webkit:stream:prompt'],
  ['agent-webkit:turn:', 'agent-webkit:turn:result'],
  ['agent-webkit:turn:result', 'agent-webkit:stream:opens'],
  ...[
    ...['input:text', 'input:blocks', 'input:content-type', 'input:interrupt-idle', 'question:answer', 'hook:answer'],
    ...['close:done', 'close:gone', 'close:alone', 'permission:allow', 'permission:deny', 'permission:second'],
    ...['permission:race', 'permission:updated', 'permission:late-subscriber', 'stream:framing', 'stream:lines'],
    ...['stream:known-events', 'stream:ids', 'stream:contiguous', 'stream:resume', 'stream:identical'],
    ...['stream:everything', 'stream:no-cursor', 'stream:newest', 'stream:future', 'stream:evicted', 'stream:edge'],
    ...['stream:ring', 'stream:zero-after-eviction', 'stream:subscribers', 'stream:leaving', 'stream:prompt'],
    ...['stream:slow', 'stream:stalled', 'stream:wakeups', 'stream:alive'],
  ].map((start): [string, RequirementId] => [`agent-webkit:${start}`, 'agent-webkit:turn:result']),
  ['agent-webkit:turn:serial', 'agent-webkit:permission:request'],
  ['agent-webkit:turn:interrupt-parked', 'agent-webkit:permission:request'],
  ['agent-webkit:input:backpressure', 'agent-webkit:permission:request'],
  ['agent-webkit:turn:interrupt-', 'agent-webkit:turn:interrupt'],
  ['agent-webkit:permission:', 'agent-webkit:permission:request'],
  ['agent-webkit:close:parked', 'agent-webkit:permission:request'],
  ['agent-webkit:question:', 'agent-webkit:question:request'],

  ['cortask:chat:', 'cortask:chat:answer'],
  ['cortask:run:', 'cortask:chat:answer'],
  ['cortask:cancel:', 'cortask:chat:answer'],
  ['cortask:broken:', 'cortask:chat:answer'],
  ['cortask:connect:binary', 'cortask:chat:answer'],
  ['cortask:permission:', 'cortask:permission:request'],
  ['cortask:run:ids', 'cortask:permission:request'],
  ['cortask:cancel:pending', 'cortask:permission:request'],
  ['cortask:disconnect:others', 'cortask:permission:request'],
  ['cortask:disconnect:permission', 'cortask:permission:request'],
  ['cortask:questionnaire:', 'cortask:questionnaire:answer'],

  ...['file:', 'stop:idle', 'flow:simple'].map((start): [string, RequirementId] => [
    `navi:${start}`,
    'navi:session:create',
  ]),
  ...['message:answer', 'session:list', 'session:preview', 'session:chars', 'session:context', 'session:pin'].map(
    (start): [string, RequirementId] => [`navi:${start}`, 'navi:session:create'],
  ),
  ['navi:session:list', 'navi:message:answer'],
  ['navi:session:preview', 'navi:message:answer'],
  ['navi:session:', 'navi:session:create'],
  ['navi:message:', 'navi:session:create'],
  ['navi:socket:', 'navi:session:create'],
  ['navi:flow:', 'navi:flow:simple'],
  ['navi:flow:simple', 'navi:session:create'],
  ['navi:stop:', 'navi:flow:simple'],
  ['navi:socket:two', 'navi:flow:simple'],
  ['navi:socket:images', 'navi:flow:simple'],
  ['navi:socket:reconnect', 'navi:flow:simple'],

  ['windieos:envelope:unknown-key', 'windieos:settings:models'],
  ['windieos:settings:models', 'windieos:handshake:plain'],
  ['windieos:wakeword:', 'windieos:handshake:plain'],
  ['windieos:manifest:', 'windieos:handshake:plain'],
  ['windieos:rehydrate:silent', 'windieos:query:stream'],
  ['windieos:stop:', 'windieos:query:stream'],
  ['windieos:limit:tasks', 'windieos:query:stream'],
  ['windieos:ocr:', 'windieos:artifact:round'],
  ['windieos:vision:', 'windieos:artifact:round'],
  ['windieos:image:', 'windieos:artifact:round'],
  ['windieos:query:', 'windieos:query:stream'],
  ['windieos:query:stream', 'windieos:handshake:plain'],
  ['windieos:tool:', 'windieos:query:stream'],
  ['windieos:settings:', 'windieos:settings:load'],
  ['windieos:settings:load', 'windieos:handshake:plain'],
  ['windieos:artifact:', 'windieos:artifact:round'],
  ['windieos:runs:', 'windieos:runs:create'],

  ['observer:selector:', 'observer:find:element'],
  ['observer:receipt:', 'observer:element:click'],
  ['observer:composite:click', 'observer:element:click'],
  ['observer:description:follows', 'observer:element:click'],
  ['observer:sketch:follows', 'observer:element:click'],
  ['observer:screenshot:follows', 'observer:element:click'],
  ['observer:wait:tree-changes', 'observer:element:click'],
  ['observer:observe:', 'observer:observe:full'],
  ['observer:snapshot:', 'observer:snapshot:content'],
  ['observer:screenshot:', 'observer:screenshot:png'],
  ['observer:screenshot:screen', 'observer:monitors:primary'],
  ['observer:scenario:', 'observer:scenario:load'],
  ['observer:replay:', 'observer:trace:stop'],
  ['observer:mcp:', 'observer:mcp:initialize'],
]

/** The requirements that the check of another one relies on. */
export const needsOf = (id: string): readonly RequirementId[] =>
  NEEDS.filter(([start, needed]) => id.startsWith(start) && id !== needed).map(([, needed]) => needed)

/** Every beginning of an id that the table names. */
export const needingStarts: readonly string[] = NEEDS.map(([start]) => start)
