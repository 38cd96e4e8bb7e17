import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

// The pages and the sidebar are written by ../build.mjs.
const sidebar = JSON.parse(readFileSync(new URL('../.pages/sidebar.json', import.meta.url), 'utf8'))

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default defineConfig({
  title: 'Backlot',
  description: 'A testbed for GUI agents: synthetic desktops, scripted agent backends and a conformance suite.',
  srcDir: '.pages',
  outDir: '../../reports/site',
  cacheDir: '.cache',
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    // Pages are plain Markdown, so angle brackets and braces are literal.
    html: false,
    config: (md) => {
      for (const kind of ['text', 'code_inline']) {
        const render = md.renderer.rules[kind]
        md.renderer.rules[kind] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      { text: 'Guides', link: '/docs/write-an-agent' },
      { text: 'Command line', link: '/cli' },
      { text: 'API', link: '/api/' },
      { text: 'Reference', link: '/docs/reference/' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
})
