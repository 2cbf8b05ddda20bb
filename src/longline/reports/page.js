"use strict";
// Lets a table be sorted by a column; without it the table stands in its own order.
for (const table of document.querySelectorAll("table[data-sort]")) {
  const body = table.tBodies[0];
  const value = (row, column) => {
    const text = row.cells[column] ? row.cells[column].textContent.trim() : "";
    const number = Number(text.replace(/[,%]/g, ""));
    return text === "" || text === "?" ? null : Number.isNaN(number) ? text : number;
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up > 0 ? "ascending" : "descending");
      const rows = [...body.rows].filter((row) => !row.classList.contains("gap"));
      rows.sort((one, two) => {
        const [a, b] = [value(one, column), value(two, column)];
        if (a === null || b === null) return (a === null) - (b === null);
        return up * (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1);
      });
      for (const row of body.querySelectorAll(".gap")) row.remove();
      body.append(...rows);
    });
  });
}
