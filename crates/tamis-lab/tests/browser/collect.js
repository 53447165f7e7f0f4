// Collects the results of the probes, one line each, sorted because frames load in any order.
const told = [];
addEventListener("message", (event) => {
  told.push(String(event.data));
  told.sort();
  document.getElementById("told").textContent = told.join("\n");
});
