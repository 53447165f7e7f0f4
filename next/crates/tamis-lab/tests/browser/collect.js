// What the probes tell, a line each, sorted so that the order in which frames load does not matter.
const told = [];
addEventListener("message", (event) => {
  told.push(String(event.data));
  told.sort();
  document.getElementById("told").textContent = told.join("\n");
});
