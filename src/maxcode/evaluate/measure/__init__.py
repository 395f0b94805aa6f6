"""How much faster one program is than another: pairs of timings and the statistics over them."""
