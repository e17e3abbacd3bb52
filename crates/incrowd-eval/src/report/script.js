'use strict';
(() => {
  document.documentElement.classList.add('js');
  const said = document.getElementById('said');

  // Display the selected measure only.
  const show = () => {
    const chosen = document.querySelector('input[name="measure"]:checked');
    for (const part of document.querySelectorAll('[data-measure]')) {
      part.hidden = chosen !== null && part.dataset.measure !== chosen.value;
    }
  };
  for (const input of document.querySelectorAll('input[name="measure"]')) {
    input.addEventListener('change', show);
  }
  show();

  // Sort numbers by value and words alphabetically; cells without a number are always last.
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v);
  };
  const order = (one, other) => {
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return String(one).localeCompare(String(other), 'en', { numeric: true });
  };
  const sort = (table, column, down) => {
    const rows = Array.from(table.tBodies[0].rows, (row) => [key(row, column), row]);
    const numeric = rows.some(([value]) => typeof value === 'number');
    const missing = ([value]) => numeric && typeof value !== 'number';
    rows.sort((one, other) => missing(one) - missing(other) || (missing(one) ? 0 : order(one[0], other[0]) * (down ? -1 : 1)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
  };
  const buttons = [];
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      const name = head.textContent;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = name;
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach((other) => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        sort(table, column, down);
        said.textContent = `Sorted by ${name}, ${down ? 'descending' : 'ascending'}`;
      });
      head.replaceChildren(button);
      buttons.push([head, name, button]);
    });
  }

  // Chromium repeats a table head on every printed page only if it contains no button.
  addEventListener('beforeprint', () => buttons.forEach(([head, name]) => head.replaceChildren(name)));
  addEventListener('afterprint', () => buttons.forEach(([head, , button]) => head.replaceChildren(button)));
})();
