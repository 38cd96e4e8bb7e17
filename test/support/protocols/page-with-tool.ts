/** A scenario with a page that registers one tool, for tests of the protocols that list and call it. */
export const PAGE_WITH_TOOL = `
name: tea
vars: {cart: 0}
states: {open: {windows: [{browser: tea.test, bounds: {x: 0, y: 0, width: 800, height: 600}}]}}
sites:
  tea.test:
    pages:
      /:
        title: Tea
        tools:
          - name: add
            description: Adds mugs.
            read_only: true
            input: {quantity: integer}
            set: [{var: cart, to: '{{ cart + quantity }}'}]
            returns: '{{ cart }} mugs'
`
