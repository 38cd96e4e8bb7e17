import { certify } from '/work/main/conformance/run.ts'
import * as aw from '/work/main/src/protocols/agent-webkit/index.ts'
import { serve } from '/work/main/src/protocols/harness.ts'

console.log(Object.keys(aw))
const server = await serve((agent, onBug) => aw.agentWebkit({ agent, token: 'conformance', onBug } as never))
const outcome = await certify({
  protocol: 'agent-webkit',
  url: server.url,
  token: 'conformance',
  profile: '/work/main/conformance/profiles/ours.yaml',
  seed: Number(process.argv[2] ?? 1),
  report: '/work/main/reports',
  progress: process.stderr,
  ...(process.argv[3] && { only: process.argv.slice(3) }),
})
console.log(outcome.conclusion, outcome.unreachable)
for (const v of outcome.verdicts) if (v.result !== 'passed') console.log(v.result, v.level, v.id, v.why)
console.log(server.bugs)
await server.close()
process.exit(0)
