import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Frame, quoteBody } from '../probe/frame.ts'
import { loadSuite } from '../protocols.ts'
import { describeInterference } from '../run/interference.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { describeLoss } from '../run/server-monitor.ts'
import { conclude, type Finding, toRequirementResult } from '../suite/results.ts'
import { describeCauses } from './causes.ts'
import { createCertificate, isCertifiable, resultDigest, setDigest } from './certificate.ts'
import { countCoverage, createCoverageMatrix } from './coverage.ts'
import { createHtmlReport, toCurl, toReproduction } from './html.ts'
import { takeScenarios } from './scenarios.ts'
import { describeResult } from './words.ts'
import { createBadge, createJsonReport, createJunitReport, createMarkdownReport } from './write.ts'

const { set } = await loadSuite('agent-webkit')

const FAILED: Finding = {
  status: 'failed',
  why: 'the id is <1> & not "2"',
  expected: 2,
  actual: 1,
  pictures: { expected: 'iVBORw0KGgo=' },
  frames: [
    {
      direction: 'sent',
      channel: 'http',
      title: 'POST /sessions',
      text: '{}',
      request: {
        method: 'POST',
        url: 'http://x/sessions',
        headers: { authorization: 'Bearer $TOKEN' },
        body: '{"it\'s":1}',
      },
    },
    { direction: 'received', channel: 'http', title: '200 to POST /sessions', text: '<script>alert(1)</script>' },
  ],
}

/** A run in which everything passed but for these. */
function outcome(
  findings: Readonly<Record<string, Finding>> = {},
  more: Partial<CertificationResult> = {},
): CertificationResult {
  const results = Object.entries(set.requirements).map(([id, requirement]) =>
    toRequirementResult(id, requirement, findings[id] ?? { status: 'passed', frames: [] }, {}),
  )
  const conclusion = conclude(results)
  return {
    protocol: 'agent-webkit',
    url: 'http://127.0.0.1:8010',
    set,
    tier: 'full',
    profile: 'ours',
    seed: 1,
    startedAt: '2026-11-29T10:03:04.000Z',
    durationMs: 41_200,
    again: 'backlot certify agent-webkit --url http://127.0.0.1:8010',
    results,
    conclusion,
    latencies: [{ operation: 'POST /sessions', count: 3, p50Ms: 1.5, p99Ms: 9 }],
    partial: false,
    exitCode: conclusion.passed ? 0 : 1,
    losses: [],
    reports: [],
    ...more,
  }
}

const failing = () => outcome({ 'agent-webkit:stream:ids': FAILED, 'agent-webkit:other:path': FAILED })

describe('the coverage matrix', () => {
  it('has a cell for every item, marked by the worst of its requirements', () => {
    const cells = createCoverageMatrix(failing())
    expect(countCoverage(cells)).toEqual({ tried: cells.length, uncheckable: 0, all: Object.keys(set.items).length })
    expect(cells.find((cell) => cell.item === 'W-F6')?.mark).toBe('failed')
    expect(cells.find((cell) => cell.item === 'W-E6')?.mark).toBe('warned')
  })

  it('has empty cells for requirements that were not tried', () => {
    const some = outcome()
    const cells = createCoverageMatrix({ ...some, results: some.results.slice(0, 1) })
    expect(cells.filter((cell) => cell.mark !== 'empty').map((cell) => cell.item)).toEqual(['W-E1'])
  })
})

describe('the HTML report', () => {
  const page = createHtmlReport(failing())

  it('is self-contained', () => {
    expect(page).not.toMatch(/<(script|link|iframe)|src="http|@import|url\(http/)
  })

  it('escapes the texts of a server', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('the id is &lt;1&gt; &amp; not &quot;2&quot;')
  })

  it('[CN4] shows the wire log and the curl of what is not judged', () => {
    const hidden: Finding = { ...FAILED, status: 'unjudged', dueTo: 'agent-webkit:create:answer' }
    const shown = createHtmlReport(outcome({ 'agent-webkit:stream:ids': hidden }))
    expect(shown).toContain('Send it again')
    expect(shown).toContain('200 to POST /sessions')
  })

  it('shows pictures and how to send the request again', () => {
    expect(page).toContain('src="data:image/png;base64,iVBORw0KGgo="')
    expect(page).toContain('Send it again')
  })

  it('shows where two values differ, and not the same again in words', () => {
    const why = 'size.width: expected 460, found 640'
    const expected = { size: { width: 460, height: 400 } }
    const finding: Finding = { ...FAILED, why, expected, actual: { size: { width: 640, height: 400 } } }
    const shown = createHtmlReport(outcome({ 'agent-webkit:stream:ids': finding }))
    expect(shown).toContain(
      '<tr><td><code>size.width</code></td><td><code>460</code></td><td><code>640</code></td></tr>',
    )
    expect(shown).not.toContain('class="why"')
  })

  it('[CN1] names the sources of two statements that differ', () => {
    const statements = { 'POST /size': { width: 2, height: 9 }, 'the picture': { width: 1, height: 9 } }
    const finding: Finding = { status: 'failed', why: 'they differ', statements, frames: [] }
    const shown = createHtmlReport(outcome({ 'agent-webkit:stream:ids': finding }))
    expect(shown).toContain('<tr><th>where</th><th>POST /size</th><th>the picture</th></tr>')
    expect(shown).toContain('<tr><td><code>width</code></td><td><code>2</code></td><td><code>1</code></td></tr>')
  })

  it('says on what a requirement is based', () => {
    expect(page).toContain('<small>The document: ')
    expect(page).toContain('<small>Not in the document: ')
  })

  it('[CN10] shows a picture as a picture with type, size and digest, and the same one once', () => {
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
    const value = { bytes, headers: { 'content-type': 'image/png' } }
    const answer = { direction: 'received', channel: 'http', text: quoteBody(bytes, 'image/png'), value } as const
    const frames: Frame[] = [1, 2].map((at) => ({ ...answer, title: `200 to GET /picture?${at}` }))
    const shown = createHtmlReport(outcome({ 'agent-webkit:stream:ids': { status: 'failed', why: 'no', frames } }))
    expect(shown.match(/src="data:image\/png;base64,iVBORw0KGgo="/g)).toHaveLength(1)
    expect(shown).toContain('the same picture as above')
    expect(shown).toContain('(image/png, 8 bytes, sha256 4c4b6a3be1314ab8…)')
    expect(shown).not.toContain('\ufffd')
  })

  it('[CN10] folds polls with the same answer, and shows the times', () => {
    const poll = (atMs: number, text: string): Frame[] => {
      const request = { method: 'GET', url: 'http://x/tree', headers: {} }
      const answer = {
        direction: 'received',
        channel: 'http',
        title: '200 to GET /tree',
        text,
        atMs: atMs + 10,
      } as const
      return [{ direction: 'sent', channel: 'http', title: 'GET /tree', text: '', request, atMs }, answer]
    }
    const frames = [...poll(0, 'old'), ...poll(100, 'same'), ...poll(200, 'same'), ...poll(1300, 'same')]
    const shown = createHtmlReport(outcome({ 'agent-webkit:stream:ids': { status: 'failed', why: 'no', frames } }))
    expect(shown.match(/<pre>same<\/pre>/g)).toHaveLength(1)
    expect(shown).toContain(
      '<small>0.10 s</small> → GET /tree</b> <em>3 times until 1.31 s, with the same answer each time</em>',
    )
    expect(toReproduction(frames, 'http://x')).toBe("curl -i 'http://x/tree'\ncurl -i 'http://x/tree' # 3 times")
  })

  it('[CN11] shows the scenarios that a check loaded, without paths of this machine', () => {
    const path = fileURLToPath(new URL('../scenarios/broken/initial.yaml', import.meta.url))
    const body = JSON.stringify({ path })
    const request = { method: 'POST', url: 'http://x/load', headers: {}, body }
    const frame: Frame = { direction: 'sent', channel: 'http', title: 'POST /load', text: body, request }
    const finding: Finding = { status: 'failed', why: `no (after POST /load ${body})`, frames: [frame] }
    const { results } = outcome({ 'agent-webkit:stream:ids': finding })
    const portable = takeScenarios(results)
    expect(Object.keys(portable.scenarios)).toEqual(['broken/initial.yaml'])
    const pages = [createHtmlReport, createJsonReport, createMarkdownReport].map((page) => page(outcome({}, portable)))
    expect(pages.filter((page) => page.includes(path))).toEqual([])
    expect(pages[0]).toContain('<details open><summary>scenarios/broken/initial.yaml</summary><pre>')
    expect(pages[0]).toContain('initial_state: nowhere')
    expect(pages[0]).toContain(`{&quot;path&quot;:&quot;&#39;&quot;$SCENARIOS&quot;&#39;/broken/initial.yaml&quot;}`)
  })

  it('lists the groups of the document with the tried items', () => {
    expect(page).toContain('<h3>Frames <small>6 tried, 2 with a failure</small></h3>')
  })

  it('links every cell to a requirement that is on the page', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    for (const target of targets) expect(page).toContain(`id="${target}"`)
  })

  it('reports why a server is unreachable', () => {
    const gone = outcome({}, { unreachable: 'ECONNREFUSED', exitCode: 2, results: [] })
    expect(createHtmlReport(gone)).toContain('ECONNREFUSED')
  })
})

describe('the JUnit report', () => {
  it('has a case for each requirement, and is well-formed', () => {
    const xml = createJunitReport(failing())
    expect(xml.match(/<testcase /g)).toHaveLength(Object.keys(set.requirements).length)
    expect(xml).toContain('failures="1"')
    expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
  })

  it('[CN4] has the finding as its message, and a MUST that is not judged as an error', () => {
    const why = "the size: '/size' says 2 (not judged, because agent-webkit:create:answer failed)"
    const hidden: Finding = { status: 'unjudged', why, dueTo: 'agent-webkit:create:answer', frames: [] }
    const xml = createJunitReport(outcome({ 'agent-webkit:stream:ids': hidden, 'agent-webkit:create:answer': FAILED }))
    expect(xml).toContain('failures="1" errors="1" skipped="0"')
    expect(xml).toContain('<failure type="failed" message="the id is &lt;1&gt; &amp; not &quot;2&quot;">')
    expect(xml).toContain(
      '<error type="not judged" message="the size: &#39;/size&#39; says 2 (not judged, because agent-webkit:create:answer failed)">',
    )
  })

  it('[CN4] skips what is not judged because of an accepted failure, or is a recommendation', () => {
    const finding: Finding = { status: 'unjudged', why: 'hidden', dueTo: 'agent-webkit:create:answer', frames: [] }
    const results = outcome({ 'agent-webkit:stream:ids': finding, 'agent-webkit:create:answer': FAILED }).results.map(
      (result) => (result.id === 'agent-webkit:create:answer' ? { ...result, accepted: 'later' } : result),
    )
    const conclusion = conclude(results, { 'agent-webkit:create:answer': 'later' })
    const xml = createJunitReport(outcome({}, { results, conclusion }))
    expect(xml).toContain('failures="0" errors="0" skipped="1"')
  })

  it('contains no character that XML forbids', () => {
    const why = 'so \u0000\u0007\u001b[31m\ufffe\uffff it is'
    const xml = createJunitReport(outcome({ 'agent-webkit:stream:ids': { status: 'failed', why, frames: [] } }))
    expect(xml).toContain('"so ���[31m�� it is"')
  })

  it('fails when the run does, also for a stale entry of the baseline alone', () => {
    const { results } = outcome()
    const conclusion = conclude(results, { 'agent-webkit:stream:ids': 'later' })
    const xml = createJunitReport(outcome({}, { conclusion }))
    expect([conclusion.passed, xml.match(/failures="\d+"/)![0]]).toEqual([false, 'failures="1"'])
    expect(xml).toMatch(/name="agent-webkit:stream:ids" classname="baseline">\s*<failure /)
  })
})

const REPEATS = { ran: 5, failed: 5 }

describe('the other reports', () => {
  it('summarise a run in Markdown with the worst first', () => {
    const text = createMarkdownReport(failing())
    expect(text).toContain('## agent-webkit: failed')
    expect(text.indexOf('| failed | `agent-webkit:stream:ids`')).toBeLessThan(text.indexOf('| warning | `'))
  })

  it('contain no times, so an unchanged server yields an unchanged report', () => {
    const slower = outcome({}, { latencies: [], startedAt: '2026-11-30T00:00:00.000Z', durationMs: 9 })
    expect(createJsonReport(slower)).toBe(createJsonReport(outcome()))
  })

  it('certify only a whole run that passed', () => {
    expect(isCertifiable(outcome())).toBe(true)
    expect(isCertifiable(failing())).toBe(false)
    expect(isCertifiable(outcome({}, { partial: true }))).toBe(false)
    expect(createCertificate(outcome())).toContain(`\`${resultDigest(outcome())}\``)
  })

  it('state the meaning, the limits and the origin of a verdict', () => {
    const id = 'agent-webkit:turn:mcp'
    const absent: Finding = { status: 'unchecked', why: 'not offered: servers of tools', frames: [] }
    const text = createCertificate(
      outcome({ [id]: absent, 'agent-webkit:other:path': { ...FAILED, repeats: REPEATS } }),
    )
    expect(text).toContain(`\`${id}\`: servers of tools`)
    expect(text).toContain('- 1 requirement: recommendation not followed.')
    expect(text).toContain('- `agent-webkit:other:path` (SHOULD): repeated alone 5 times, failed 5')
    expect(text).toMatch(/not a security audit/)
    expect(createCertificate(outcome())).toContain('no check was repeated')
  })

  it('draw a badge', () => {
    const musts = Object.values(set.requirements).filter(({ level }) => level === 'MUST').length
    expect(createBadge(outcome())).toContain(`>full, ${musts} MUST</text>`)
    expect(createBadge(failing())).toContain('1 failed</text>')
    expect(createBadge(outcome({}, { partial: true }))).toContain(`>in part, ${musts} MUST<`)
    const broken = outcome({ 'agent-webkit:stream:ids': { status: 'harness', frames: [] } })
    expect(createBadge(broken)).toContain('>1 harness error</text>')
  })
})

describe('reports of one run', () => {
  const hidden: Finding = { status: 'unjudged', why: 'the size differs', dueTo: 'agent-webkit:stream:ids', frames: [] }
  const ids = ['agent-webkit:stream:ids', 'agent-webkit:create:answer', 'agent-webkit:other:path']
  const mixed = outcome(
    { [ids[0]!]: FAILED, [ids[1]!]: hidden, [ids[2]!]: FAILED },
    { server: 'Stranger 0.1', partial: true, partialBecause: '--only agent-webkit' },
  )
  const counted = /1 failed, 1 not judged, 1 warning(?:, \d+ passed)?/
  const pages = {
    htmlReport: createHtmlReport(mixed).replaceAll(/<\/?b>|<\/li><li class="\w+">/g, (tag) =>
      tag.includes('li') ? ', ' : '',
    ),
    markdownReport: createMarkdownReport(mixed),
    outcomeInWords: describeResult(mixed),
  }

  it.each(Object.entries(pages))('[CN6] count in the same words and order, without zeros: %s', (_, text) => {
    expect(text).toMatch(counted)
    expect(text).toMatch(/the id is[\s\S]*the size differs[\s\S]*the id is/)
    expect(text).not.toMatch(/\b0 (?:unsteady|accepted|failed)/)
  })

  it.each(Object.entries(pages))(
    '[CN7] state the exit code with its reason, the server, the time and the part: %s',
    (_, text) => {
      expect(text).toContain('exit code 1: 1 MUST failed; 1 MUST could not be judged')
      expect(text).toContain('http://127.0.0.1:8010, which is Stranger 0.1; 2026-11-29 10:03 UTC, 41 s')
      expect(text).toContain('a part of the requirements, so there is no certificate: --only agent-webkit')
      expect(text).toContain(`backlot certify agent-webkit --url http://127.0.0.1:8010 --only ${ids[0]}`)
    },
  )

  it('[CN6] name the marks in JSON and in the badge as everywhere', () => {
    const { counts, requirements, exit_code } = JSON.parse(createJsonReport(mixed))
    expect([counts.failed, counts.not_judged, counts.warning, exit_code]).toEqual([1, 1, 1, 1])
    expect(requirements.slice(0, 3).map(({ id, mark }: { id: string; mark: string }) => [id, mark])).toEqual([
      [ids[0], 'failed'],
      [ids[1], 'not_judged'],
      [ids[2], 'warning'],
    ])
    expect(createBadge(mixed)).toContain('>1 failed, 1 not judged</text>')
  })

  it('[CN8] have whole values in JSON', () => {
    const long = 'x'.repeat(5000)
    const finding: Finding = { status: 'failed', why: 'the text', expected: `${long}a`, actual: `${long}b`, frames: [] }
    const { requirements } = JSON.parse(createJsonReport(outcome({ [ids[0]!]: finding })))
    expect(requirements[0]).toMatchObject({ expected: `${long}a`, found: `${long}b` })
  })

  it('[CN9] group failures by the call that they are about, and count what they hide', () => {
    const about = (why: string): Finding => ({ status: 'failed', why, frames: [] })
    const causes = describeCauses(
      outcome({
        'agent-webkit:stream:ids': about('dry_run: expected true (after POST /api/set {"a":1}, then GET /tree)'),
        'agent-webkit:other:path': about('POST /api/set answers 200, not 400: {}'),
        'agent-webkit:create:answer': about('no letter (after POST /execute {"b":1})'),
        'agent-webkit:close:twice': about('no click (after POST /execute {"b":2})'),
        'agent-webkit:turn:mcp': { ...hidden, dueTo: 'agent-webkit:create:answer' },
      }),
    )
    expect([...causes].sort()).toEqual([
      'POST /api/set: agent-webkit:stream:ids (failed), agent-webkit:other:path (warning)',
      'failed: agent-webkit:create:answer; 1 requirement could not be judged because of it',
      'warning: agent-webkit:close:twice',
    ])
  })

  it('[CN6] mark an endpoint in the matrix that the failure of a general requirement names', () => {
    const why = 'changed: expected false, found true (after DELETE /sessions/1)'
    const cells = createCoverageMatrix(
      outcome({
        'agent-webkit:stream:ids': { status: 'failed', why: `POST /sessions answers 500: ${why}`, frames: [] },
      }),
    )
    expect(cells.find(({ title }) => title === 'POST /sessions')?.mark).toBe('failed')
  })
})

describe('every report', () => {
  const repeats = { ran: 5, failed: 3 }
  const shaky = { ...FAILED, status: 'unsteady', repeats } as const
  const loss = {
    during: ['agent-webkit:stream:ids'],
    request: '"POST /sessions"',
    reason: 'ECONNREFUSED',
    restarted: true,
    finding: FAILED,
  }
  const interference = {
    check: 'agent-webkit:stream:ids',
    beside: 'agent-webkit:close:idle',
    why: 'the run was aborted',
    concerned: ['agent-webkit:stream:ids'],
  }
  const given = outcome({ 'agent-webkit:stream:ids': shaky })
  const incidents = [describeLoss(loss), describeInterference(interference)]
  const unsteadyResults: CertificationResult = {
    ...given,
    losses: [loss],
    interference,
    exitCode: 1,
    conclusion: conclude(given.results, {}, new Set(Object.keys(set.requirements)), incidents),
  }
  const formats = {
    htmlReport: createHtmlReport,
    jsonReport: createJsonReport,
    junitReport: createJunitReport,
    markdownReport: createMarkdownReport,
    outcomeInWords: describeResult,
  }

  it.each(Object.entries(formats))('states how often a failure was repeated: %s', (_, format) => {
    expect(format(unsteadyResults)).toMatch(/repeated alone 5 times, failed 3|"ran": 5,\s+"failed": 3/)
  })

  it.each(Object.entries(formats))('names the request before a loss, and the interfering checks: %s', (_, format) => {
    const text = format(unsteadyResults)
    expect(text).toContain('POST /sessions')
    expect(text).toContain('agent-webkit:close:idle')
    expect(text).toMatch(/unsteady|when repeated/)
  })

  it.each(Object.entries(formats))('[CN12] says that repeats found different things: %s', (_, format) => {
    const varied: Finding = { ...FAILED, repeats: { ran: 5, failed: 5, isVaried: true } }
    const text = format(outcome({ 'agent-webkit:stream:ids': varied }))
    expect(text).toMatch(/failed 5, with different findings|"is_varied": true/)
  })

  it('shows in its badge that a requirement is unsteady', () => {
    expect(createBadge(unsteadyResults)).toContain('>1 unsteady</text>')
  })

  it('counts losses, interference and unsteady requirements as failures of JUnit', () => {
    expect(createJunitReport(unsteadyResults)).toContain('failures="3"')
  })
})

describe('a digest', () => {
  it('changes with a verdict and with a row, not with the seed', () => {
    expect(resultDigest(failing())).not.toBe(resultDigest(outcome()))
    expect(resultDigest(outcome({}, { seed: 9 }))).toBe(resultDigest(outcome()))
    const other = {
      ...set,
      requirements: { ...set.requirements, 'agent-webkit:new:row': set.requirements['agent-webkit:stream:ids']! },
    }
    expect(setDigest(other)).not.toBe(setDigest(set))
  })
})

describe('a reproduction', () => {
  it('is a curl line that quotes for the shell and keeps the token out', () => {
    expect(toCurl(FAILED.frames[0]!.request!)).toBe(
      `curl -i -X POST 'http://x/sessions' -H 'authorization: Bearer '"$TOKEN"'' --data-raw '{"it'\\''s":1}'`,
    )
  })

  it('lets the shell fill in a token that is part of the address', () => {
    const request = { method: 'GET', url: 'http://x/?token=$TOKEN', headers: {} }
    expect(toCurl(request)).toBe(`curl -i 'http://x/?token='"$TOKEN"''`)
  })

  it('executes no text of a server when pasted into a shell', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pasted-'))
    const evil = "'$(touch a)`touch b`\"; touch c; '\n touch d\n@/etc/passwd"
    const request = {
      method: 'PUT',
      url: `http://x/${evil}[1-2]{a,b}`,
      headers: { authorization: `Bearer ${evil}`, [`x-${evil}`]: evil },
      body: `@${evil}`,
    }
    const frame = { direction: 'sent', channel: 'ws', at: 0, title: `connect /${evil}`, text: evil } as unknown as Frame
    const script = [toCurl(request), toReproduction([frame, { ...frame, channel: 'mcp' }], 'http://x')].join('\n')
    const shown = 'curl() { printf "%s\\0" "$@"; }; npx() { cat; }; sleep() { :; }; COMMAND=cat'
    const { stdout } = spawnSync('sh', ['-c', `${shown}\n${script}`], { cwd: folder, encoding: 'utf8' })
    expect(readdirSync(folder)).toEqual([])
    expect(stdout.split('\0').slice(0, 10)).toEqual([
      ...['-i', '-g', '-X', 'PUT', request.url, '-H', `authorization: Bearer ${evil}`, '-H', `x-${evil}: ${evil}`],
      '--data-raw',
    ])
    rmSync(folder, { recursive: true })
  })

  it('of a socket connects to it', () => {
    const frames = [
      { direction: 'sent', channel: 'ws', title: 'connect /ws', text: '' },
      { direction: 'sent', channel: 'ws', title: 'chat', text: '{"type":"chat"}' },
    ] as const
    expect(toReproduction(frames, 'http://x:1')).toBe(
      `(printf '%s\\n' '{"type":"chat"}'; sleep 5) | npx --yes wscat -c 'ws://x:1/ws'`,
    )
  })
})
