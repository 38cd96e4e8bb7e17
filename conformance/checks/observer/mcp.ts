import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { call, connect, initialize, textOf } from '../../observer/mcp-driver.ts'
import { Windows } from '../../observer/shapes.ts'
import { parseAs } from '../../probe/failure.ts'
import type { TestContext } from '../../run/test-context.ts'
import { findFreePort } from '../../servers/processes.ts'
import { check as anyCheck, type RequirementId } from '../check.ts'

/** These share one process and its handshake, but for those that are about the process itself. */
const check = (id: RequirementId, run: (context: TestContext) => Promise<void>) =>
  anyCheck(id, run, { pool: 'mcp', timeoutMs: 60_000 })

check('observer:mcp:initialize', async (context) => {
  const mcp = await context.ownMcp()
  await initialize(mcp)
  assert.deepEqual((await mcp.request('ping')).result, {})
})

check('observer:mcp:notifications', async (context) => {
  const mcp = await connect(await context.mcp())
  mcp.notify(`notifications/${context.random.word()}`)
  const reason = await mcp.nextUnsolicited(300).catch(() => undefined)
  assert.equal(reason, undefined, `a notification is answered: ${JSON.stringify(reason)}`)
  await call(mcp, 'list_windows')
})

check('observer:mcp:clean', async (context) => {
  const mcp = await connect(await context.mcp())
  for (const name of ['get_screenshot', 'list_windows']) await call(mcp, name)
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:survives', async (context) => {
  const mcp = await connect(await context.ownMcp())
  mcp.sendRaw('this is no JSON')
  mcp.sendRaw('{"jsonrpc":"2.0"')
  await call(mcp, 'list_windows')
})

check('observer:mcp:parse-error', async (context) => {
  const mcp = await connect(await context.ownMcp())
  mcp.sendRaw('this is no JSON')
  const { id, error } = await mcp.nextUnsolicited()
  assert.deepEqual([id, error?.code], [null, -32700])
})

check('observer:mcp:both', async (context) => {
  const port = await findFreePort()
  const mcp = await connect(await context.ownMcp(context.auxiliaryCommand('both', port)))
  const spoken = parseAs(Windows, textOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
  const answered = await fetch(`http://127.0.0.1:${port}/api/windows`)
  const served = parseAs(Windows, await answered.json(), 'GET /api/windows')
  assert.deepEqual(served.windows, spoken.windows)
  await call(mcp, 'get_screenshot')
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:port', async (context) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = taken.address() as AddressInfo
    const mcp = await context.ownMcp(context.auxiliaryCommand('both', port))
    const begun = await Promise.race([
      initialize(mcp).then(
        () => 'begun',
        () => 'ended',
      ),
      mcp.exited,
    ])
    if (begun === 'begun') return
    const code = await mcp.exited
    assert.notEqual(code, 0, 'it ends with 0 although its port is in use')
  } finally {
    taken.close()
  }
})

check('observer:mcp:end', async (context) => {
  const mcp = await connect(await context.ownMcp())
  assert.equal(await mcp.end(), 0)
})
