import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The dead links of a built site: links to a page, file or heading that does not exist. */
export function checkLinks(site) {
  const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html'))
  const anchors = new Map(
    pages.map((name) => [join(site, name), new Set(matches(join(site, name), /\bid="([^"]+)"/g).map(plain))]),
  )
  return pages.flatMap((name) => {
    const page = join(site, name)
    return [...new Set(matches(page, /\b(?:href|src)="([^"]+)"/g).map(plain))]
      .filter((link) => !/^([a-z]+:|\/\/)/i.test(link) && isDead(page, link))
      .map((link) => `${relative(site, page)}: ${link}`)
  })

  function isDead(page, link) {
    const [path, anchor = ''] = link.split('#')
    const target = path === '' ? page : path.startsWith('/') ? join(site, path) : resolve(dirname(page), path)
    const file = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target
    if (!existsSync(file)) return true
    return anchor !== '' && anchors.has(file) && !anchors.get(file).has(anchor)
  }
}

const matches = (file, pattern) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, found]) => found)

const plain = (text) =>
  decodeURIComponent(
    text
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"')
      .replace(/\?.*?(?=#|$)/, ''),
  )
